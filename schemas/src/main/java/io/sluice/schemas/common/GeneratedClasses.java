package io.sluice.schemas.common;

import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;

/**
 * Avro's model of generated classes, limited to ours.
 *
 * <p>Thread-safe. Avro finds the class of a record by the name in its schema, and since 1.12 refuses every class that the
 * process has not declared trusted by a global setting. A library must not touch that setting, and the classes are known
 * beforehand: exactly those of the schemas of this version, so no name from a foreign schema ever loads a class.
 */
final class GeneratedClasses extends SpecificData {
    static final GeneratedClasses MODEL = new GeneratedClasses();

    private final Map<String, Class<?>> byName = new HashMap<>();

    private GeneratedClasses() {
        super(GeneratedClasses.class.getClassLoader());
        KnownSchemas.CURRENT.forEach(this::addNamedTypes);
    }

    @Override
    @SuppressWarnings("rawtypes") // as in the overridden method
    public Class getClass(Schema schema) {
        return switch (schema.getType()) {
            case RECORD, ENUM, FIXED -> byName.get(schema.getFullName());
            default -> super.getClass(schema);
        };
    }

    private void addNamedTypes(Schema schema) {
        switch (schema.getType()) {
            case RECORD -> {
                if (add(schema)) {
                    schema.getFields().forEach(field -> addNamedTypes(field.schema()));
                }
            }
            case ENUM, FIXED -> add(schema);
            case ARRAY -> addNamedTypes(schema.getElementType());
            case MAP -> addNamedTypes(schema.getValueType());
            case UNION -> schema.getTypes().forEach(this::addNamedTypes);
            default -> {
                // Has no class of its own.
            }
        }
    }

    private boolean add(Schema schema) {
        String name = schema.getFullName();
        if (byName.containsKey(name)) {
            return false;
        }
        try {
            byName.put(name, Class.forName(name, true, getClassLoader()));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("class " + name + " of a schema of this version is missing", e);
        }
        return true;
    }
}
