package io.sluice.topology.guard;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Purpose: what one look at a cluster found.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: findings that can lose records come first.
 */
public record GuardReport(List<TopicFinding> findings) {
    public GuardReport {
        findings = List.copyOf(findings);
    }

    public List<TopicFinding> of(Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .toList();
    }

    /** Whether nothing was found that can lose records. */
    public boolean isSafe() {
        return of(Severity.LOSS).isEmpty();
    }

    /** What can lose records, a finding on each line; empty when nothing can. */
    public Optional<String> refusal() {
        List<TopicFinding> losses = of(Severity.LOSS);
        if (losses.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("the topics are not as they have to be, and records could be lost ("
                + (losses.size() == 1 ? "1 difference" : losses.size() + " differences") + "):\n"
                + losses.stream().map(finding -> "  " + finding.text()).collect(Collectors.joining("\n")));
    }

    /** The same on one line: the first of them, and how many more there are. */
    public Optional<String> shortRefusal() {
        List<TopicFinding> losses = of(Severity.LOSS);
        if (losses.isEmpty()) {
            return Optional.empty();
        }
        int more = losses.size() - 1;
        return Optional.of("records could be lost: " + losses.get(0).text()
                + (more == 0 ? "" : "; and " + more + " more, `sluice topics verify` says which"));
    }
}
