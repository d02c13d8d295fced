package io.sluice.topology.guard;

/**
 * Purpose: what mends a difference.
 *
 * <p>Threading: immutable.
 */
public sealed interface Remedy {
    /** The exact command, or what to do in words. */
    String text();

    /**
     * A setting that has to be written on a topic.
     *
     * @param text the command that does it
     */
    record SetOnTopic(String topic, String setting, String value, String text) implements Remedy {}

    /** What a person has to do; a command where there is one. */
    record Advice(String text) implements Remedy {}
}
