package io.sluice.service.config;

import io.sluice.service.config.ReliedOn.Refusal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;

/**
 * Purpose: reads the settings of an instance from a file, from the environment, which counts more, and from flags, which count
 * most; and checks them.
 *
 * <p>Threading: one thread, one object for each time.
 *
 * <p>Invariants: it is all or nothing: there are settings only if nothing is wrong with any of them, and else everything that
 * is wrong is said at once. A value that another one takes the place of is not checked.
 */
public final class SettingsLoader {
    private final Path file;
    private final Map<String, Given> effective = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();
    private final Map<String, Object> values = new HashMap<>();
    private final PassedOn passedOn = new PassedOn();

    private SettingsLoader(Path file) {
        this.file = file;
    }

    /**
     * @param file a properties file in UTF-8
     * @param environment all variables of the process
     * @param flags settings given on the command line: name to value
     * @throws SettingsException saying everything that is wrong
     */
    public static ServiceSettings load(Path file, Map<String, String> environment, Map<String, String> flags) {
        SettingsLoader loader = new SettingsLoader(file);
        SettingsFile.read(file, loader.problems::add).forEach(loader::take);
        SettingsEnvironment.read(environment, loader.problems::add).forEach(loader::take);
        new TreeMap<>(flags).forEach((key, value) -> loader.take(new Given(key, value, "on the command line")));
        return loader.settings();
    }

    private void take(Given given) {
        effective.put(given.key(), given);
    }

    private ServiceSettings settings() {
        effective.values().forEach(this::checkOther);
        SettingsTable.rows().forEach(this::check);
        checkAgainstEachOther();
        if (!problems.isEmpty()) {
            throw new SettingsException(problems);
        }
        return new ServiceSettings(values, passedOn.settings(), passedOn.warnings());
    }

    /** What is not in the table is passed on, or unknown. */
    private void checkOther(Given given) {
        if (SettingsTable.find(given.key()).isPresent()) {
            return;
        }
        KafkaClient.of(given.key())
                .ifPresentOrElse(
                        client -> passedOn.add(client, given, problems::add),
                        () -> problems.add("unknown setting " + given.key() + " " + given.where() + ": "
                                + whatIsMeant(given.key())));
    }

    private static String whatIsMeant(String key) {
        if (KafkaClient.STREAMS.knows(key)) {
            Optional<Refusal> refusal = ReliedOn.refusal(KafkaClient.STREAMS, key);
            if (refusal.isPresent()) {
                return "it is Kafka's and cannot be set, " + refusal.get().inWords();
            }
            KafkaClient client = KafkaClient.KAFKA.knows(key) ? KafkaClient.KAFKA : KafkaClient.STREAMS;
            return "it is Kafka's and takes a prefix, " + client.prefix() + key;
        }
        return "the nearest known name is " + SettingNames.nearest(key);
    }

    private void check(ConfigKey row) {
        Given given = effective.get(row.name);
        if (given == null) {
            if (!row.hasDefault()) {
                problems.add(
                        row.name + " is missing: " + SettingsTable.allowed(row).words() + ". Set it in " + file
                                + " or in environment variable " + SettingNames.variableOf(row.name));
            } else if (row.defaultValue != null) {
                values.put(row.name, row.defaultValue);
            }
            return;
        }
        Allowed allowed = SettingsTable.allowed(row);
        Object value;
        try {
            value = ConfigDef.parseType(row.name, given.value(), row.type);
        } catch (ConfigException e) {
            problems.add(given.shown() + ": allowed is " + (SettingsTable.isNumber(row) ? "a whole number, " : "")
                    + allowed.words());
            return;
        }
        Optional<String> objection = allowed.objectionTo(value);
        if (objection.isPresent()) {
            problems.add(given.shown() + ": " + objection.get());
        } else {
            values.put(row.name, value);
        }
    }

    /** Only values that are allowed by themselves are in question here. */
    private void checkAgainstEachOther() {
        if (values.containsKey(SettingsTable.MANIFEST_DIR)
                && values.containsKey(SettingsTable.STATE_DIR)
                && path(SettingsTable.MANIFEST_DIR).startsWith(path(SettingsTable.STATE_DIR))) {
            problems.add(effective.get(SettingsTable.MANIFEST_DIR).shown() + ": it is in " + SettingsTable.STATE_DIR
                    + ", which may be deleted at any time; name a folder outside of it");
        }
        if (values.containsKey(SettingsTable.DECISION_MAX_BYTES)
                && values.containsKey(SettingsTable.COMMAND_MAX_BYTES)) {
            long atLeast = SettingsTable.DECISION_PER_COMMAND * number(SettingsTable.COMMAND_MAX_BYTES);
            if (number(SettingsTable.DECISION_MAX_BYTES) < atLeast) {
                problems.add(effective.get(SettingsTable.DECISION_MAX_BYTES).shown() + ": at least "
                        + SettingsTable.DECISION_PER_COMMAND + " x " + SettingsTable.COMMAND_MAX_BYTES + ", " + atLeast
                        + ", or a command of the allowed size could not be decided");
            }
        }
        if (values.containsKey(SettingsTable.ROCKSDB_BLOCK_CACHE_BYTES)
                && values.containsKey(SettingsTable.ROCKSDB_WRITE_BUFFER_BYTES)
                && number(SettingsTable.ROCKSDB_WRITE_BUFFER_BYTES) > number(SettingsTable.ROCKSDB_BLOCK_CACHE_BYTES)) {
            problems.add(SettingsTable.ROCKSDB_WRITE_BUFFER_BYTES + " is "
                    + number(SettingsTable.ROCKSDB_WRITE_BUFFER_BYTES) + " and more than "
                    + SettingsTable.ROCKSDB_BLOCK_CACHE_BYTES + ", "
                    + number(SettingsTable.ROCKSDB_BLOCK_CACHE_BYTES)
                    + ": the write buffers are a part of the cache, so lower the one or raise the other");
        }
    }

    private Path path(String name) {
        return ServiceSettings.path((String) values.get(name));
    }

    private long number(String name) {
        return ((Number) values.get(name)).longValue();
    }
}
