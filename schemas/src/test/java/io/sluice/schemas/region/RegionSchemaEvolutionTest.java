package io.sluice.schemas.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.OtherWriter;
import io.sluice.schemas.RegionSamples;
import io.sluice.schemas.SchemaJson;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.UndecodableException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Region records of older and newer writers. */
class RegionSchemaEvolutionTest {
    private static final Map<String, Class<? extends Enum<?>>> ENUMS = Map.of(
            "TimestampUnit", TimestampUnit.class,
            "IndexKind", IndexKind.class,
            "SemanticType", SemanticType.class,
            "PrimaryKeyEncoding", PrimaryKeyEncoding.class,
            "SstFormat", SstFormat.class,
            "RegionRole", RegionRole.class,
            "RegionState", RegionState.class,
            "RegionWriteKind", RegionWriteKind.class,
            "ManifestWriteKind", ManifestWriteKind.class,
            "Admission", Admission.class);

    static List<Schema> enums() {
        Map<String, Schema> found = new TreeMap<>();
        KnownSchemas.CURRENT.forEach(schema -> collectEnums(schema, found, new ArrayList<>()));
        found.remove("FlowStatus");
        found.remove("MaintenanceKind");
        return List.copyOf(found.values());
    }

    @Test
    void everyEnumOfRegionsIsLookedAt() {
        assertThat(enums().stream().map(Schema::getName)).containsExactlyInAnyOrderElementsOf(ENUMS.keySet());
    }

    @ParameterizedTest
    @MethodSource("enums")
    void anEnumHasTheNamesOfOurs(Schema schema) {
        List<String> ours = new ArrayList<>();
        for (Enum<?> constant : ENUMS.get(schema.getName()).getEnumConstants()) {
            ours.add(constant.name());
        }

        assertThat(schema.getEnumSymbols())
                .filteredOn(symbol -> !symbol.equals("UNKNOWN"))
                .isEqualTo(ours);
    }

    @ParameterizedTest
    @MethodSource("enums")
    void anEnumCanGetMoreSymbols(Schema schema) {
        ObjectNode newer = SchemaJson.toJson(schema);
        newer.withArray("symbols").add("LATER");

        assertThat(SchemaCompatibility.checkReaderWriterCompatibility(schema, SchemaJson.toSchema(newer))
                        .getType())
                .isEqualTo(SchemaCompatibilityType.COMPATIBLE);
    }

    @Test
    void aRoleOfALaterVersionIsNotTakenForAnother() {
        Schema today = io.sluice.avro.SetRegionRole.getClassSchema();
        Schema newer = edited(today, json -> addSymbol(type(json, "role")));
        byte[] bytes = OtherWriter.rewritten(
                RegionCommandCodec.encode(
                        new SetRegionRole(RegionSamples.editRegion().envelope(), -1, RegionRole.LEADER)),
                today,
                newer,
                record -> record.put("role", later(record, "role")));
        RegionCommandCodec codec = new RegionCommandCodec(OtherWriter.readerThatFinds(newer));

        assertThatThrownBy(() -> codec.decode(bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("role is UNKNOWN, or what only later versions know");
    }

    @Test
    void anAdmissionOfALaterVersionIsOneToWaitAt() {
        Schema today = io.sluice.avro.RegionStateRecord.getClassSchema();
        Schema newer = edited(today, json -> addSymbol(type(json, "admission")));
        byte[] bytes = OtherWriter.rewritten(
                RegionRecordCodec.encode(new RegionStateRecord(1, "SPLITTING", Admission.ADMIT, 2, 3, 4)),
                today,
                newer,
                record -> record.put("admission", later(record, "admission")));

        assertThat(new RegionRecordCodec(OtherWriter.readerThatFinds(newer)).decodeState(bytes))
                .isEqualTo(new RegionStateRecord(1, "SPLITTING", Admission.STALL, 2, 3, 4));
    }

    @Test
    void anActionOfALaterVersionIsNotTakenForNone() {
        Schema today = io.sluice.avro.ManifestWriteOrder.getClassSchema();
        Schema newer = edited(
                today,
                json -> SchemaJson.addField(
                        (ObjectNode) type(json, "actions").get("items"), "rename", "[\"null\", \"string\"]", "null"));
        ManifestWriteOrder order =
                new ManifestWriteOrder(1, 1, "r-1", 1, ManifestWriteKind.DELTA, List.of(new ManifestAction.Remove(1)));
        byte[] bytes = OtherWriter.rewritten(ManifestCodec.encode(order), today, newer, record -> {
            GenericRecord action = (GenericRecord) ((List<?>) record.get("actions")).get(0);
            action.put("remove", null);
            action.put("rename", "x");
        });
        ManifestCodec codec = new ManifestCodec(OtherWriter.readerThatFinds(newer));

        assertThatThrownBy(() -> codec.decodeOrder(bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("later versions");
    }

    @Test
    void aFileWrittenBeforeAFieldExistedGetsItsDefault() {
        Schema today = io.sluice.avro.FileMeta.getClassSchema();
        Schema older = edited(today, json -> {
            ObjectNode field = SchemaJson.field(json, "primary_key_max");
            for (int i = 0; i < json.withArray("fields").size(); i++) {
                if (json.withArray("fields").get(i) == field) {
                    json.withArray("fields").remove(i);
                }
            }
        });
        byte[] bytes =
                OtherWriter.rewritten(RegionRecordCodec.encode(RegionSamples.file()), today, older, record -> {});
        FileMeta file = new RegionRecordCodec(OtherWriter.readerThatFinds(older)).decodeFile(bytes);

        assertThat(file.primaryKeyMax()).isNull();
        assertThat(file.primaryKeyMin()).isEqualTo(RegionSamples.file().primaryKeyMin());
    }

    /** The command in the row has a schema of its own. */
    @Test
    void aQueuedCommandOfANewerWriterIsRead() {
        Schema today = io.sluice.avro.FlushRegion.getClassSchema();
        Schema newer = edited(today, json -> SchemaJson.addField(json, "priority", "[\"null\", \"long\"]", "null"));
        byte[] command = OtherWriter.rewritten(
                RegionCommandCodec.encode(RegionSamples.flushRegion()), today, newer, record -> {});
        byte[] row = SingleObject.encode(new io.sluice.avro.QueuedCommand(ByteBuffer.wrap(command), 7L));

        assertThat(new RegionRecordCodec(OtherWriter.readerThatFinds(newer)).decodeQueued(row))
                .isEqualTo(new QueuedCommand(RegionSamples.flushRegion(), 7));
    }

    private static Schema edited(Schema today, Consumer<ObjectNode> edit) {
        ObjectNode json = SchemaJson.toJson(today);
        edit.accept(json);
        return SchemaJson.toSchema(json);
    }

    private static JsonNode type(ObjectNode record, String field) {
        return SchemaJson.field(record, field).get("type");
    }

    private static void addSymbol(JsonNode enumeration) {
        ((ObjectNode) enumeration).withArray("symbols").add("LATER");
    }

    private static GenericData.EnumSymbol later(GenericRecord record, String field) {
        return new GenericData.EnumSymbol(record.getSchema().getField(field).schema(), "LATER");
    }

    private static void collectEnums(Schema schema, Map<String, Schema> found, List<Schema> seen) {
        switch (schema.getType()) {
            case ENUM -> found.put(schema.getName(), schema);
            case RECORD -> {
                if (!seen.contains(schema)) {
                    seen.add(schema);
                    schema.getFields().forEach(field -> collectEnums(field.schema(), found, seen));
                }
            }
            case ARRAY -> collectEnums(schema.getElementType(), found, seen);
            case MAP -> collectEnums(schema.getValueType(), found, seen);
            case UNION -> schema.getTypes().forEach(type -> collectEnums(type, found, seen));
            default -> {
                // Holds no enum.
            }
        }
    }
}
