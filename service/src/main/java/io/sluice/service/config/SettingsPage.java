package io.sluice.service.config;

import io.sluice.service.config.ReliedOn.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/**
 * Purpose: renders the table of settings as the page docs/settings.md.
 *
 * <p>Threading: functions only.
 *
 * <p>Invariants: the same tables always give the same text, with lines ending in a line feed and no blanks before it.
 */
final class SettingsPage {
    /** What the three instances of the example have in common. */
    static final String EXAMPLE = """
            bootstrap.servers=kafka-1:9092,kafka-2:9092,kafka-3:9092
            state.dir=/var/lib/sluice/state
            # for a cluster that wants a login
            kafka.security.protocol=SASL_SSL
            kafka.sasl.mechanism=SCRAM-SHA-512
            """;

    private static final String INTRODUCTION = """
            # Settings

            <!-- Generated from SettingsTable, not to be edited.
                 `mvn -pl service -am test -Dsluice.docs.write=true` writes it anew. -->

            The settings of `sluice serve -c FILE`. FILE is a properties file as Kafka's are, in UTF-8. An environment
            variable counts more than the file, and a flag more than both. What is not allowed, not known, given twice or
            missing is said all at once, and nothing is started then. Blanks around values do not count; a backslash is
            written as `\\\\`. Sizes are in bytes, times in milliseconds, without a unit.
            """;

    private static final String ENVIRONMENT = """

            ## Environment

            `SLUICE_` and the name in capitals, with underscores for dots: `SLUICE_BOOTSTRAP_SERVERS` is
            `bootstrap.servers`. With a prefix too: `SLUICE_KAFKA_SASL_JAAS_CONFIG` is `kafka.sasl.jaas.config`, and so
            a password need not be in a file. Underscores of a name that Kafka does not know become dots; the few
            plug-ins that have underscores, dashes or capitals in their names need the file.

            A variable that begins with `SLUICE_` and is no setting is refused, but for
            %s, which are the command line's, and for those that Kubernetes sets for services
            (`SLUICE_SERVICE_HOST`, `SLUICE_PORT`, ...).
            """;

    private static final String PASSED_ON = """

            ## Settings of Kafka's clients

            A setting with one of these prefixes is passed on, without the prefix. Security goes below `kafka.`.

            """;

    private static final String PRECEDENCE = """

            Within Kafka Streams its own prefixes work as usual, as in `streams.main.consumer.max.poll.records`. Where two
            say different things the more special one counts: `streams.producer.` before `producer.` before `streams.`
            before `kafka.`. A single client for which Sluice has a value of its own, say a shorter timeout, keeps it.

            A value that Kafka would not take is refused. A name that Kafka does not know is passed on, since it may be a
            plug-in's, with a warning at the start.

            ## What cannot be passed on

            Sluice relies on its own values for these. They are refused below the prefix that is shown, below `kafka.`, and
            below `streams.` with and without Kafka Streams' prefix for the client. Topic settings (`streams.topic.`) are
            refused altogether: topics are made from [their table](topics.md).

            """;

    private SettingsPage() {}

    static String text() {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        for (String group : SettingsTable.definition().groups()) {
            page.append("\n## ").append(group).append("\n\n");
            page.append(table(
                    List.of("setting", "allowed", "default", "what it is"),
                    SettingsTable.rows().stream()
                            .filter(row -> row.group.equals(group))
                            .map(SettingsPage::cells)
                            .toList()));
        }
        page.append(ENVIRONMENT.formatted(SettingsEnvironment.NOT_SETTINGS.stream()
                .sorted()
                .map(SettingsPage::code)
                .collect(Collectors.joining(" and "))));
        page.append(PASSED_ON).append(prefixes()).append(PRECEDENCE).append(refused());
        return page.append(example()).toString();
    }

    private static List<String> cells(ConfigKey row) {
        String type = SettingsTable.isNumber(row) ? "whole number, " : "";
        return List.of(
                code(row.name), type + SettingsTable.allowed(row).words(), defaultOf(row), linked(row.documentation));
    }

    private static String defaultOf(ConfigKey row) {
        if (!row.hasDefault()) {
            return "required";
        }
        if (row.defaultValue == null) {
            return SettingsTable.derivedDefault(row.name).orElseThrow();
        }
        return code(row.defaultValue.toString()) + inWords(row);
    }

    private static String inWords(ConfigKey row) {
        if (row.name.endsWith(".bytes")) {
            return " (" + Units.size(((Number) row.defaultValue).longValue()) + ")";
        }
        if (row.name.endsWith(".ms") && !row.defaultValue.equals(0L)) {
            return " (" + Units.duration(((Number) row.defaultValue).longValue()) + ")";
        }
        return "";
    }

    private static String prefixes() {
        List<List<String>> rows = new ArrayList<>();
        for (KafkaClient client : KafkaClient.values()) {
            rows.add(List.of(code(client.prefix()), client.receivers()));
        }
        return table(List.of("prefix", "for"), rows);
    }

    /** One line for all settings of a client with the same reason. */
    private static String refused() {
        List<List<String>> rows = new ArrayList<>();
        for (KafkaClient client : KafkaClient.values()) {
            Map<Refusal, List<String>> byReason = new LinkedHashMap<>();
            ReliedOn.of(client)
                    .forEach((key, refusal) -> byReason.computeIfAbsent(refusal, reason -> new ArrayList<>())
                            .add(code(key)));
            byReason.forEach((refusal, keys) -> rows.add(List.of(
                    code(client.prefix()),
                    String.join(", ", keys),
                    linked(refusal.reason()),
                    refusal.instead().isEmpty() ? "-" : code(refusal.instead()))));
        }
        return table(List.of("prefix", "settings", "why", "instead"), rows);
    }

    private static String example() {
        StringBuilder text = new StringBuilder("""

                ## Three instances

                The same file on three machines:

                ```properties
                """);
        text.append(EXAMPLE);
        text.append("""
                ```

                What differs, and the password, come from the environment:

                ```bash
                export SLUICE_KAFKA_SASL_JAAS_CONFIG='org.apache.kafka.common.security.scram.ScramLoginModule required username="sluice" password="...";'
                """);
        for (int instance = 1; instance <= 3; instance++) {
            text.append(SettingNames.variableOf(SettingsTable.INSTANCE_ID) + "=sluice-" + instance + " ");
            text.append(SettingNames.variableOf(SettingsTable.APPLICATION_SERVER) + "=10.2.0." + instance + ":7878 ");
            text.append("./sluice serve -c sluice.properties   # on 10.2.0." + instance + "\n");
        }
        return text.append("```\n").toString();
    }

    private static String table(List<String> columns, List<List<String>> rows) {
        StringBuilder text = new StringBuilder();
        text.append("| ").append(String.join(" | ", columns)).append(" |\n");
        text.append("|").append("---|".repeat(columns.size())).append('\n');
        rows.forEach(row -> text.append("| ").append(String.join(" | ", row)).append(" |\n"));
        return text.toString();
    }

    private static String linked(String text) {
        return text.replace("topics.md", "[topics.md](topics.md)");
    }

    private static String code(String text) {
        return "`" + text + "`";
    }
}
