package io.sluice.service.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Purpose: all names that settings may have, those that are passed on to Kafka included: the environment variable of each, and
 * the nearest one to a name that is none.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: names that are refused are never proposed.
 */
final class SettingNames {
    static final String VARIABLE_PREFIX = "SLUICE_";

    private static final SettingNames NAMES = new SettingNames();

    private final List<String> all = new ArrayList<>();
    private final Map<String, String> byVariable = new HashMap<>();

    private SettingNames() {
        SettingsTable.rows().forEach(row -> add(row.name));
        for (KafkaClient client : KafkaClient.values()) {
            client.names().stream().sorted().forEach(key -> {
                if (ReliedOn.refusal(client, key).isEmpty()) {
                    add(client.prefix() + key);
                } else {
                    byVariable.put(variableOf(client.prefix() + key), client.prefix() + key);
                }
            });
        }
    }

    private void add(String name) {
        all.add(name);
        byVariable.put(variableOf(name), name);
    }

    /** The environment variable of a setting. */
    static String variableOf(String name) {
        return VARIABLE_PREFIX + name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /**
     * The setting that an environment variable stands for. A setting of Kafka that is not known, a plug-in's say, is taken to
     * have dots where the variable has underscores.
     */
    static Optional<String> ofVariable(String variable) {
        String known = NAMES.byVariable.get(variable);
        if (known != null) {
            return Optional.of(known);
        }
        String withDots = variable.substring(VARIABLE_PREFIX.length())
                .toLowerCase(Locale.ROOT)
                .replace('_', '.');
        return KafkaClient.of(withDots).map(client -> withDots);
    }

    /** The known name with the fewest letters to change. */
    static String nearest(String name) {
        return nearest(name, NAMES.all);
    }

    /** The environment variable of a known name with the fewest letters to change. */
    static String nearestVariable(String variable) {
        return nearest(
                variable, NAMES.all.stream().map(SettingNames::variableOf).toList());
    }

    static String nearest(String name, Collection<String> candidates) {
        String nearest = "";
        int fewest = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int changes = distance(name, candidate);
            if (changes < fewest) {
                fewest = changes;
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** How many letters must be put in, taken out or replaced to get from one name to the other (Levenshtein). */
    static int distance(String from, String to) {
        int[] above = new int[to.length() + 1];
        for (int column = 0; column < above.length; column++) {
            above[column] = column;
        }
        for (int row = 1; row <= from.length(); row++) {
            int[] current = new int[above.length];
            current[0] = row;
            for (int column = 1; column < current.length; column++) {
                int replaced = above[column - 1] + (from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1);
                current[column] = Math.min(replaced, 1 + Math.min(above[column], current[column - 1]));
            }
            above = current;
        }
        return above[to.length()];
    }
}
