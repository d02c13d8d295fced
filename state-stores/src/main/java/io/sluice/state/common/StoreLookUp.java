package io.sluice.state.common;

import java.util.Objects;
import java.util.function.Function;
import org.apache.kafka.streams.query.Query;

/**
 * An interactive query of Sluice's own: several reads of one store that all see the same committed state. {@link GuardedStore}
 * answers it; a store that is not guarded refuses it as unknown.
 *
 * <p>Reads of one kind each (Kafka's key and range queries) would have to be repeated whenever a commit falls between them,
 * which a long listing under steady writes never escapes.
 *
 * @param reads is run on the caller's thread, and must not keep the rows it is given
 */
public record StoreLookUp<T>(Function<RowScanner, T> reads) implements Query<T> {
    public StoreLookUp {
        Objects.requireNonNull(reads, "reads");
    }
}
