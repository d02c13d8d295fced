package io.sluice.topology.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.common.TopicSpec;
import io.sluice.topology.common.TopicSpec.Cleanup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** K-3: every topic and setting of the table, good and bad, on the topic and by a default of the brokers. */
class TopicMatrixTest {
    private static final Set<Origin> DEFAULTS =
            Set.of(Origin.BROKER, Origin.ALL_BROKERS, Origin.BROKER_FILE, Origin.KAFKA, Origin.UNKNOWN);

    /** A cell of the matrix. */
    record Case(TopicSpec spec, String setting, String value, Severity severity) {
        String wanted() {
            return spec.configs().get(setting);
        }

        @Override
        public String toString() {
            return spec.name() + " " + setting + "=" + value + " -> " + severity;
        }
    }

    static Stream<Case> badValues() {
        return Described.TABLE.specs().stream().flatMap(spec -> badValuesOf(spec).stream());
    }

    static Stream<TopicSpec> topics() {
        return Described.TABLE.specs().stream();
    }

    private static List<Case> badValuesOf(TopicSpec spec) {
        List<Case> cases = new ArrayList<>();
        boolean compact = spec.cleanup() == Cleanup.COMPACT;
        add(cases, spec, "cleanup.policy", compact ? "delete" : "compact", Severity.LOSS);
        add(cases, spec, "cleanup.policy", "compact,delete", Severity.LOSS);
        add(cases, spec, "cleanup.policy", "", Severity.WARNING);
        // By itself a retention takes nothing from a topic that is only compacted.
        add(cases, spec, "retention.bytes", "1073741824", compact ? Severity.WARNING : Severity.LOSS);
        add(
                cases,
                spec,
                "message.timestamp.type",
                spec.timestamps() == TopicSpec.Timestamps.CREATE_TIME ? "LogAppendTime" : "CreateTime",
                Severity.LOSS);
        if (spec.timestamps() == TopicSpec.Timestamps.CREATE_TIME) {
            add(cases, spec, "message.timestamp.before.max.ms", "86400000", Severity.LOSS);
        }
        add(cases, spec, "max.message.bytes", plus(spec, "max.message.bytes", -1), Severity.LOSS);
        add(cases, spec, "max.message.bytes", plus(spec, "max.message.bytes", 1), Severity.WARNING);
        add(cases, spec, "min.insync.replicas", "1", Severity.LOSS);
        add(cases, spec, "min.insync.replicas", "3", Severity.WARNING);
        // There are three copies.
        add(cases, spec, "min.insync.replicas", "4", Severity.LOSS);
        add(cases, spec, "unclean.leader.election.enable", "true", Severity.LOSS);
        if (compact) {
            add(cases, spec, "retention.ms", "604800000", Severity.WARNING);
            add(cases, spec, "delete.retention.ms", plus(spec, "delete.retention.ms", -1), Severity.LOSS);
            add(cases, spec, "delete.retention.ms", "0", Severity.LOSS);
            add(cases, spec, "delete.retention.ms", plus(spec, "delete.retention.ms", 1), Severity.WARNING);
            add(cases, spec, "min.compaction.lag.ms", plus(spec, "min.compaction.lag.ms", 1), Severity.WARNING);
            if (!spec.configs().get("min.compaction.lag.ms").equals("0")) {
                add(cases, spec, "min.compaction.lag.ms", plus(spec, "min.compaction.lag.ms", -1), Severity.LOSS);
                add(cases, spec, "min.compaction.lag.ms", "0", Severity.LOSS);
            }
            add(cases, spec, "segment.ms", "604800000", Severity.WARNING);
            add(cases, spec, "segment.ms", "1000", Severity.WARNING);
            add(cases, spec, "min.cleanable.dirty.ratio", "0.5", Severity.WARNING);
        } else {
            add(cases, spec, "retention.ms", plus(spec, "retention.ms", -1), Severity.LOSS);
            add(cases, spec, "retention.ms", "0", Severity.LOSS);
            add(cases, spec, "retention.ms", plus(spec, "retention.ms", 1), Severity.WARNING);
            add(cases, spec, "retention.ms", "-1", Severity.WARNING);
        }
        return cases;
    }

    @Test
    void aClusterThatIsAsItHasToBeGivesNoFinding() {
        assertThat(Described.asItHasToBe().findings()).isEmpty();
    }

    @Test
    void everyTopicAndSettingOfTheTableIsInTheMatrix() {
        Set<String> cells =
                badValues().map(one -> one.spec().name() + " " + one.setting()).collect(Collectors.toSet());

        assertThat(topics().flatMap(
                                spec -> spec.configs().keySet().stream().map(setting -> spec.name() + " " + setting)))
                .isNotEmpty()
                .allMatch(cells::contains);
    }

    @ParameterizedTest
    @MethodSource("badValues")
    void aBadValueOnTheTopicIsFound(Case bad) {
        expect(bad, Origin.TOPIC);
    }

    @ParameterizedTest
    @MethodSource("badValues")
    void aBadValueByDefaultIsFoundAndMendedOnTheTopic(Case bad) {
        DEFAULTS.forEach(origin -> expect(bad, origin));
    }

    private static void expect(Case bad, Origin origin) {
        List<TopicFinding> findings = Described.asItHasToBe()
                .with(bad.spec().name(), bad.setting(), bad.value(), origin)
                .findings();

        assertThat(findings).hasSize(1);
        TopicFinding found = findings.get(0);
        assertThat(found.severity()).isEqualTo(bad.severity());
        assertThat(found.subject()).isEqualTo(bad.spec().name());
        assertThat(found.setting()).isEqualTo(bad.setting());
        assertThat(found.value()).isEqualTo(bad.value());
        assertThat(found.wanted()).isEqualTo(bad.wanted());
        assertThat(found.origin()).isEqualTo(Optional.of(origin));
        assertThat(found.why()).isNotEmpty();
        assertThat(found.remedy())
                .isEqualTo(new Remedy.SetOnTopic(
                        bad.spec().name(),
                        bad.setting(),
                        bad.wanted(),
                        "kafka-configs.sh --bootstrap-server k1:9092,k2:9092 --alter --entity-type topics --entity-name "
                                + bad.spec().name() + " --add-config " + bad.setting() + "=" + bad.wanted()));
    }

    @ParameterizedTest
    @MethodSource("topics")
    void aGoodValueByDefaultIsAWarningAndWrittenOnTheTopic(TopicSpec spec) {
        spec.configs()
                .forEach((setting, value) -> DEFAULTS.forEach(origin -> {
                    List<TopicFinding> findings = Described.asItHasToBe()
                            .with(spec.name(), setting, value, origin)
                            .findings();

                    assertThat(findings).hasSize(1);
                    assertThat(findings.get(0).severity()).isEqualTo(Severity.WARNING);
                    assertThat(findings.get(0).origin()).isEqualTo(Optional.of(origin));
                    assertThat(findings.get(0).remedy()).isInstanceOfSatisfying(Remedy.SetOnTopic.class, set -> {
                        assertThat(set.setting()).isEqualTo(setting);
                        assertThat(set.value()).isEqualTo(value);
                    });
                }));
    }

    @ParameterizedTest
    @MethodSource("topics")
    void whatSomebodyWantsInsteadOfTheTableIsGood(TopicSpec spec) {
        Map<String, String> wanted = badValuesOf(spec).stream()
                .filter(bad -> bad.severity() == Severity.LOSS && !bad.value().equals("4"))
                .collect(Collectors.toMap(Case::setting, Case::value, (one, other) -> one));
        Described described = Described.asItHasToBe().wanting(spec.name(), wanted);
        wanted.forEach((setting, value) -> described.with(spec.name(), setting, value, Origin.TOPIC));

        assertThat(wanted).isNotEmpty();
        assertThat(described.findings()).isEmpty();
    }

    private static void add(List<Case> cases, TopicSpec spec, String setting, String value, Severity severity) {
        cases.add(new Case(spec, setting, value, severity));
    }

    private static String plus(TopicSpec spec, String setting, long difference) {
        return Long.toString(Long.parseLong(spec.configs().get(setting)) + difference);
    }
}
