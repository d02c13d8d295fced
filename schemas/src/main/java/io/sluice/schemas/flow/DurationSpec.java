package io.sluice.schemas.flow;

import java.util.Objects;

/** A duration as a caller states it: a number of seconds, or text such as {@code "2 days 1h"}. Not yet checked. */
public sealed interface DurationSpec {
    /** A number of seconds, of any sign. */
    record Seconds(long value) implements DurationSpec {
        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    /** Text, see {@link Durations}. */
    record Text(String value) implements DurationSpec {
        public Text {
            Objects.requireNonNull(value, "value");
        }

        @Override
        public String toString() {
            return value;
        }
    }

    static DurationSpec ofSeconds(long seconds) {
        return new Seconds(seconds);
    }

    static DurationSpec ofText(String text) {
        return new Text(text);
    }
}
