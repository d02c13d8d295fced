package io.sluice.service.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * Purpose: what a setting may be, once in words for the documentation and for refusals, and once as a check.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: null, a setting that is not given, is always allowed; whether it must be given is not asked here.
 *
 * @param words what is allowed
 * @param check throws IllegalArgumentException for a parsed value that is not; its message is a clause about the value, or
 *     empty when the words say enough
 */
record Allowed(String words, Consumer<Object> check) implements ConfigDef.Validator {

    static Allowed number(long min, long max) {
        return between(min, max, min + " to " + max);
    }

    static Allowed bytes(long min, long max) {
        return between(min, max, min + " to " + max + " bytes (" + Units.size(min) + " to " + Units.size(max) + ")");
    }

    static Allowed milliseconds(long min, long max) {
        return between(
                min, max, min + " to " + max + " ms (" + Units.duration(min) + " to " + Units.duration(max) + ")");
    }

    static Allowed oneOf(String... values) {
        List<String> all = List.of(values);
        return new Allowed(String.join(" or ", all), value -> require(all.contains(value), ""));
    }

    /** What a switch may be; its type says the rest. */
    static Allowed trueOrFalse() {
        return new Allowed("true or false", value -> {});
    }

    static Allowed matching(String words, Pattern pattern) {
        return new Allowed(
                words, value -> require(pattern.matcher(value.toString()).matches(), ""));
    }

    static Allowed path() {
        return new Allowed("a path", value -> {
            require(!value.toString().isEmpty(), "");
            try {
                Path.of(value.toString());
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException("it is no path: " + e.getReason(), e);
            }
        });
    }

    /** An address to listen on. */
    static Allowed host() {
        return new Allowed("a host name or IP address without a port", value -> {
            HostPort.requireHost(value.toString());
            require(!value.equals("*"), "every address of this machine is 0.0.0.0");
        });
    }

    /** Addresses to connect to. */
    static Allowed addresses() {
        return new Allowed("host:port, several with commas between them", value -> {
            Collection<?> addresses = (Collection<?>) value;
            require(!addresses.isEmpty(), "");
            for (Object address : addresses) {
                require(!address.toString().isEmpty(), "one of the addresses is empty");
                try {
                    HostPort.parse(address.toString());
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("of " + address + ": " + e.getMessage(), e);
                }
            }
        });
    }

    /** An address under which others can reach this machine. */
    static Allowed reachableAddress() {
        return new Allowed("host:port with a port from 1 to " + HostPort.MAX_PORT, value -> {
            require(!value.toString().isEmpty(), "");
            require(
                    !HostPort.parse(value.toString()).isWildcard(),
                    "nobody can connect to an address that stands for all of a machine's");
            require(
                    !HostPort.parse(value.toString()).host().contains("_"),
                    "HTTP clients refuse a host name with an underscore");
        });
    }

    /** What is to be said against a parsed value, if anything. */
    Optional<String> objectionTo(Object value) {
        if (value == null) {
            return Optional.empty();
        }
        try {
            check.accept(value);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of((e.getMessage().isEmpty() ? "" : e.getMessage() + "; ") + "allowed is " + words);
        }
    }

    @Override
    public void ensureValid(String name, Object value) {
        objectionTo(value).ifPresent(objection -> {
            throw new ConfigException(name, value, objection);
        });
    }

    @Override
    public String toString() {
        return words;
    }

    private static Allowed between(long min, long max, String words) {
        return new Allowed(words, value -> {
            long number = ((Number) value).longValue();
            require(number >= min && number <= max, "");
        });
    }

    private static void require(boolean held, String otherwise) {
        if (!held) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
