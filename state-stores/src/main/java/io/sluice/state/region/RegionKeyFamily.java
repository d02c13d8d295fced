package io.sluice.state.region;

import io.sluice.state.common.CursorRow;
import io.sluice.state.common.KeyFamily;
import io.sluice.state.common.OutcomeIndex;

/**
 * The key families of the region store. A row key is the family's tag and then its parts; all numbers but the kind are 8 bytes,
 * unless said.
 *
 * <pre>
 *  tag family       key parts                                    value               kind
 *  01  region       region_id                                    RegionRecord        truth
 *  02  queue        region_id arrival                            QueuedCommand       truth
 *  03  file         region_id file_id (16)                       FileMeta            truth
 *  04  removed      region_id file_id (16) kind (4) index version
 *                   manifest version action (4)                  RemovedFiles of one truth
 *  05  cleanup      region_id file_id (16)                       RemovedFiles of one truth, also of dropped regions
 *  06  write        region_id                                    ManifestWriteOrder  truth, while it is in flight
 *  07  outcome      region_id in decimal 00 command id           outcome             bounded by age
 *  08  outcome_age  decision time (ms) region_id in decimal 00 command id
 *                                                                zero bytes          bounded by age
 *  09  cursor       -                                            cursor              last write of a decision
 *  0A  waiting      region_id command id                         zero bytes          derived from queue
 *  0B  delta        region_id version                            ManifestChunk       truth, the latest versions
 * </pre>
 *
 * <p>The arrival of a command is its offset in the commands topic, or the first number behind those that wait if they came from
 * another topic (a snapshot). No row grows with the number of files, except that a write
 * order holds what one command, or one run of merged edits, asked for.
 *
 * <p>Tags are frozen, like the rest of the encoding.
 */
public enum RegionKeyFamily implements KeyFamily {
    REGION(1, "region"),
    QUEUE(2, "queue"),
    FILE(3, "file"),
    REMOVED(4, "removed"),
    CLEANUP(5, "cleanup"),
    WRITE(6, "write"),
    OUTCOME(OutcomeIndex.TAG, "outcome"),
    OUTCOME_AGE(OutcomeIndex.AGE_TAG, "outcome_age"),
    CURSOR(CursorRow.TAG, "cursor"),
    WAITING(10, "waiting"),
    DELTA(11, "delta");

    private final byte tag;
    private final String label;

    RegionKeyFamily(int tag, String label) {
        this.tag = (byte) tag;
        this.label = label;
    }

    @Override
    public byte tag() {
        return tag;
    }

    @Override
    public String label() {
        return label;
    }
}
