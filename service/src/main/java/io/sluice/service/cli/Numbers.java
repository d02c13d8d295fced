package io.sluice.service.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Purpose: unsigned numbers as arguments.
 *
 * <p>Threading: stateless.
 */
final class Numbers {
    private static final long U32_MAX = 0xFFFF_FFFFL;
    private static final int PORT_MAX = 65_535;
    /** The service waits no longer. */
    private static final long MAX_WAIT_MS = 600_000;

    private Numbers() {}

    /** A u64, kept as its decimal text. */
    static final class U64 implements ITypeConverter<String> {
        @Override
        public String convert(String value) {
            try {
                if (!value.startsWith("+")) {
                    return Long.toUnsignedString(Long.parseUnsignedLong(value));
                }
            } catch (NumberFormatException e) {
                throw expected(value, Long.toUnsignedString(-1));
            }
            throw expected(value, Long.toUnsignedString(-1));
        }
    }

    /** A u32. */
    static final class U32 implements ITypeConverter<Long> {
        @Override
        public Long convert(String value) {
            return parse(value, U32_MAX);
        }
    }

    /** A TCP port; 0 stands for any free one. */
    static final class Port implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return (int) parse(value, PORT_MAX);
        }
    }

    /** How long to wait, in milliseconds. */
    static final class WaitMs implements ITypeConverter<Long> {
        @Override
        public Long convert(String value) {
            long ms = parse(value, MAX_WAIT_MS);
            if (ms == 0) {
                throw new TypeConversionException("'" + value + "' is not a whole number from 1 to " + MAX_WAIT_MS);
            }
            return ms;
        }
    }

    private static long parse(String value, long max) {
        try {
            long number = Long.parseLong(value);
            if (number >= 0 && number <= max && !value.startsWith("+")) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw expected(value, Long.toString(max));
        }
        throw expected(value, Long.toString(max));
    }

    private static TypeConversionException expected(String value, String max) {
        return new TypeConversionException("'" + value + "' is not a whole number from 0 to " + max);
    }
}
