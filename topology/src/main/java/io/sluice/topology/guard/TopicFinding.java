package io.sluice.topology.guard;

import java.util.Objects;
import java.util.Optional;

/**
 * Purpose: one difference between what a cluster has and what Sluice wants of it.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: {@link #text} stands on one line and says everything.
 *
 * @param subject name of the topic, or `broker 1`, `all brokers`
 * @param setting as Kafka spells it; `topic`, `topic id`, `partitions`, `replicas`, `in sync` for what is no setting
 * @param origin where the value was set, for settings
 * @param why what the difference leads to, a clause
 */
public record TopicFinding(
        Severity severity,
        String subject,
        String setting,
        String value,
        String wanted,
        Optional<Origin> origin,
        String why,
        Remedy remedy) {
    public TopicFinding {
        Objects.requireNonNull(severity, "severity");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(setting, "setting");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(wanted, "wanted");
        Objects.requireNonNull(origin, "origin");
        Objects.requireNonNull(why, "why");
        Objects.requireNonNull(remedy, "remedy");
    }

    /** The difference alone: subject, setting, value, origin, wanted. */
    public String difference() {
        return subject + ": " + setting + " is " + shown(value)
                + origin.map(from -> " (" + from.words() + ")").orElse("") + ", wanted is " + shown(wanted);
    }

    /** Everything: the difference, what it leads to, what mends it. */
    public String text() {
        return difference() + ": " + why + ". To mend it: " + remedy.text();
    }

    /** The same difference for something that it means less or more to. */
    TopicFinding as(Severity otherSeverity, String otherWhy) {
        return new TopicFinding(otherSeverity, subject, setting, value, wanted, origin, otherWhy, remedy);
    }

    private static String shown(String value) {
        return value.isEmpty() ? "empty" : value;
    }
}
