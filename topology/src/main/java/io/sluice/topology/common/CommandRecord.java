package io.sluice.topology.common;

/**
 * A record of a commands topic as it was read, nothing decoded yet.
 *
 * @param key as in the topic
 * @param value not null: a null value is a settled command's tombstone and no command
 * @param headerCommandId the header {@code sluice-command-id}, or null
 * @param partition where it was read
 * @param offset where it was read
 */
public record CommandRecord(byte[] key, byte[] value, String headerCommandId, int partition, long offset) {}
