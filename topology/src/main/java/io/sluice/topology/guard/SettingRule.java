package io.sluice.topology.guard;

import io.sluice.topology.common.TopicSpec.Cleanup;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Purpose: how far a setting of a topic may be from what the table wants before records can be lost, and what the difference
 * leads to. The guard and its documentation read it.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: every setting that {@code TopicSpec} writes has a rule for its kind of cleanup.
 *
 * @param setting as Kafka spells it
 * @param on the kind of topic that it is for; empty for both
 * @param bound which differences can lose records
 * @param loss what those lead to; empty when none can
 * @param warning what the others lead to; empty when there are none
 */
record SettingRule(String setting, Optional<Cleanup> on, Bound bound, String loss, String warning) {
    private static final String NEVER_CLEANED = "nothing is ever cleaned, and the topic grows without end";
    /** Ends with what would be deleted. */
    private static final String NO_EFFECT =
            "a compacted topic does not go by it, but a cleanup policy altered by mistake would at once delete everything ";

    private static final String MORE_ROOM = "it takes more room, and longer to read";

    /** The rules, in reading order. */
    static final List<SettingRule> ALL = List.of(
            new SettingRule(
                    TopicConfig.CLEANUP_POLICY_CONFIG,
                    Optional.of(Cleanup.COMPACT),
                    Bound.POLICY,
                    "records would go by age, those that still count and those that wait among them",
                    NEVER_CLEANED),
            new SettingRule(
                    TopicConfig.CLEANUP_POLICY_CONFIG,
                    Optional.of(Cleanup.DELETE),
                    Bound.POLICY,
                    "of two records with one key only the later would stay, and one without a key would be refused",
                    NEVER_CLEANED),
            new SettingRule(
                    TopicConfig.RETENTION_MS_CONFIG,
                    Optional.of(Cleanup.COMPACT),
                    Bound.NONE,
                    "",
                    NO_EFFECT + "older than that"),
            new SettingRule(
                    TopicConfig.RETENTION_MS_CONFIG,
                    Optional.of(Cleanup.DELETE),
                    Bound.NOT_BELOW,
                    "records would go before everyone who may ask for them has read them",
                    MORE_ROOM),
            new SettingRule(
                    TopicConfig.RETENTION_BYTES_CONFIG,
                    Optional.of(Cleanup.COMPACT),
                    Bound.NONE,
                    "",
                    NO_EFFECT + "beyond that"),
            new SettingRule(
                    TopicConfig.RETENTION_BYTES_CONFIG,
                    Optional.of(Cleanup.DELETE),
                    Bound.NOT_BELOW,
                    "records could go by size, however young they are",
                    ""),
            new SettingRule(
                    TopicConfig.DELETE_RETENTION_MS_CONFIG,
                    Optional.of(Cleanup.COMPACT),
                    Bound.NOT_BELOW,
                    "whoever was away for that long would never learn what was deleted, and go on with it",
                    MORE_ROOM),
            new SettingRule(
                    TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG,
                    Optional.of(Cleanup.COMPACT),
                    Bound.NOT_BELOW,
                    "a command whose id is used a second time could be cleaned away before it is decided",
                    MORE_ROOM),
            new SettingRule(
                    TopicConfig.SEGMENT_MS_CONFIG,
                    Optional.of(Cleanup.COMPACT),
                    Bound.NONE,
                    "",
                    "the segment that is written to is never cleaned, so a long one keeps a quiet topic dirty and a short"
                            + " one costs files"),
            new SettingRule(
                    TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
                    Optional.of(Cleanup.COMPACT),
                    Bound.NONE,
                    "",
                    "the topic is cleaned later, and takes longer to read until then, or more often than it pays"),
            new SettingRule(
                    TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                    Optional.empty(),
                    Bound.SAME,
                    "retention and compaction lag would count from another clock than they are meant for",
                    ""),
            new SettingRule(
                    TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG,
                    Optional.empty(),
                    Bound.NOT_BELOW,
                    "what is decided of a command that waited for longer would be refused, and whoever has to write it could"
                            + " not go on",
                    ""),
            new SettingRule(
                    TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                    Optional.empty(),
                    Bound.NOT_BELOW,
                    "the largest record would be refused, and whoever has to write it could not go on",
                    "records may get in for which those who read and copy them are not set up"),
            new SettingRule(
                    TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
                    Optional.empty(),
                    Bound.NOT_BELOW,
                    "a record would count as written with so few copies that one failure can take it",
                    "fewer brokers may be away before writes have to wait"),
            new SettingRule(
                    TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG,
                    Optional.empty(),
                    Bound.SAME,
                    "a copy that misses records could become the leader, and they would be gone",
                    ""));

    /** Which differences can lose records. */
    enum Bound {
        /** All. */
        SAME("another value"),
        /** A smaller number; -1 is no limit, the largest one. */
        NOT_BELOW("less"),
        /** All but the empty policy, which cleans nothing. */
        POLICY("another value, unless it is empty"),
        NONE("never");

        private final String lossWhen;

        Bound(String lossWhen) {
            this.lossWhen = lossWhen;
        }

        /** For which values the start is stopped, in words. */
        String lossWhen() {
            return lossWhen;
        }
    }

    SettingRule {
        Objects.requireNonNull(setting, "setting");
        Objects.requireNonNull(on, "on");
        Objects.requireNonNull(bound, "bound");
        Objects.requireNonNull(loss, "loss");
        Objects.requireNonNull(warning, "warning");
    }

    /** The rule for a setting of a topic; empty for one that the table does not have. */
    static Optional<SettingRule> find(String setting, Cleanup cleanup) {
        return ALL.stream()
                .filter(rule -> rule.setting.equals(setting))
                .filter(rule -> rule.on.isEmpty() || rule.on.get() == cleanup)
                .findFirst();
    }

    /** Whether two spellings mean the same value. */
    static boolean isSame(String value, String wanted) {
        return value.equalsIgnoreCase(wanted)
                || policies(value).equals(policies(wanted))
                || number(value)
                        .flatMap(v -> number(wanted).map(w -> v.compareTo(w) == 0))
                        .orElse(false);
    }

    /** Whether a value that is not the same could lose records. */
    boolean canLose(String value, String wanted) {
        return switch (bound) {
            case NONE -> false;
            case SAME -> true;
            case POLICY -> !policies(value).isEmpty();
            case NOT_BELOW -> isBelow(value, wanted);
        };
    }

    /** Whether a value is a smaller number; -1 is no limit. What is no number cannot be trusted to be enough. */
    static boolean isBelow(String value, String wanted) {
        Optional<BigDecimal> actual = number(value);
        Optional<BigDecimal> least = number(wanted);
        if (actual.isEmpty() || least.isEmpty()) {
            return true;
        }
        if (actual.get().signum() < 0) {
            return false;
        }
        return least.get().signum() < 0 || actual.get().compareTo(least.get()) < 0;
    }

    private static Optional<BigDecimal> number(String text) {
        try {
            return Optional.of(new BigDecimal(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Set<String> policies(String value) {
        return Arrays.stream(value.split(",", -1))
                .map(String::strip)
                .filter(policy -> !policy.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }
}
