package io.sluice.service.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.topology.common.CommandKind;
import io.sluice.topology.common.DecisionListener;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Counts what the stream threads decide.
 *
 * <p>Thread-safe. All maps but the innermost are filled when it is made, so counting allocates nothing but the first time that a
 * kind of command gets a code.
 */
public final class DecisionMetrics implements DecisionListener {
    /** What makes a dead letter; shown from the start, since an alert is about the first one. */
    private static final List<OutcomeCode> REASONS =
            List.of(OutcomeCode.MALFORMED, OutcomeCode.MISROUTED, OutcomeCode.TOO_LARGE, OutcomeCode.UNSUPPORTED);

    private final Meters meters;
    private final Map<CommandFamily, Of> families;

    /** Of one family. */
    private record Of(
            Timer waits,
            Counter repeated,
            Map<CommandKind, Map<OutcomeCode, Counter>> settled,
            Map<OutcomeCode, Counter> deadLetters) {}

    public DecisionMetrics(Meters meters) {
        this.meters = meters;
        this.families = byEach(CommandFamily.class, this::of);
    }

    private Of of(CommandFamily family) {
        Map<OutcomeCode, Counter> deadLetters = new ConcurrentHashMap<>();
        REASONS.forEach(reason -> deadLetters.put(reason, deadLetters(family, reason)));
        return new Of(
                meters.timer(MetricsTable.DECISION_WAIT, family.label()),
                meters.counter(MetricsTable.COMMANDS_REPEATED, family.label()),
                byEach(CommandKind.class, kind -> new ConcurrentHashMap<>()),
                deadLetters);
    }

    private static <K extends Enum<K>, V> Map<K, V> byEach(Class<K> keys, Function<K, V> value) {
        Map<K, V> all = new EnumMap<>(keys);
        for (K key : keys.getEnumConstants()) {
            all.put(key, value.apply(key));
        }
        return all;
    }

    @Override
    public void taken(CommandFamily family, long waitedMs) {
        families.get(family).waits().record(waitedMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public void settled(CommandFamily family, CommandKind kind, OutcomeCode code) {
        Map<OutcomeCode, Counter> counters = families.get(family).settled().get(kind);
        Counter counter = counters.get(code);
        if (counter == null) {
            counter = counters.computeIfAbsent(
                    code, one -> meters.counter(MetricsTable.COMMANDS, family.label(), kind.label(), one.name()));
        }
        counter.increment();
    }

    @Override
    public void repeated(CommandFamily family) {
        families.get(family).repeated().increment();
    }

    @Override
    public void deadLettered(CommandFamily family, OutcomeCode reason) {
        Map<OutcomeCode, Counter> counters = families.get(family).deadLetters();
        counters.computeIfAbsent(reason, one -> deadLetters(family, one)).increment();
    }

    private Counter deadLetters(CommandFamily family, OutcomeCode reason) {
        return meters.counter(MetricsTable.DEAD_LETTERS, family.label(), reason.name());
    }
}
