package io.sluice.state.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.Test;

class KeyValueStoreRowsTest {
    private final List<String> seen = new ArrayList<>();

    @Test
    void theEndOfARangeIsNotVisited() {
        KeyValueStoreRows.visit(rows("01", "02", "03"), bytes("03"), this::seeAll);
        assertThat(seen).containsExactly("01", "02");
    }

    @Test
    void aVisitorThatHasEnoughIsNotAskedAgain() {
        KeyValueStoreRows.visit(rows("01", "02", "03"), bytes("04"), (key, value) -> {
            seeAll(key, value);
            return seen.size() < 2;
        });
        assertThat(seen).containsExactly("01", "02");
    }

    private boolean seeAll(byte[] key, byte[] value) {
        return seen.add(Keys.hex(key));
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static KeyValueIterator<Bytes, byte[]> rows(String... keys) {
        Iterator<KeyValue<Bytes, byte[]>> rows = Stream.of(keys)
                .map(key -> KeyValue.pair(Bytes.wrap(bytes(key)), new byte[0]))
                .iterator();
        return new KeyValueIterator<>() {
            @Override
            public void close() {}

            @Override
            public Bytes peekNextKey() {
                throw new UnsupportedOperationException("not needed");
            }

            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public KeyValue<Bytes, byte[]> next() {
                return rows.next();
            }
        };
    }
}
