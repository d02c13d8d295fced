package io.sluice.service.snapshot;

/** What a block of a snapshot file holds (docs/snapshots.md). The bytes are frozen. Immutable. */
enum BlockType {
    /** What the snapshot is of, as JSON; the first block. */
    HEADER('H'),
    /** All writer schemas that are needed, as a JSON array; the second block. */
    SCHEMAS('S'),
    /** From here on rows of another partition, as JSON. */
    PARTITION('P'),
    ROWS('R'),
    /** Counts and digests, as JSON; the last block. */
    END('E');

    private final byte code;

    BlockType(char code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }

    /** Null when this version knows none of this code. */
    static BlockType of(byte code) {
        for (BlockType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        return null;
    }
}
