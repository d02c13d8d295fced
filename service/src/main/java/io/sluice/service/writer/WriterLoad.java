package io.sluice.service.writer;

/**
 * How much the manifest writer has to do. Immutable.
 *
 * @param waiting regions that wait for their turn, those included whose order is tried again later
 * @param running regions whose turn it is
 * @param oldestNanos how long the region that waits longest has waited for something that should have been done by now: a turn that is
 *     due or does not end, an order that does not succeed; 0 when there is none
 */
public record WriterLoad(int waiting, int running, long oldestNanos) {}
