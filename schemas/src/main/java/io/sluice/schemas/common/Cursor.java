package io.sluice.schemas.common;

/**
 * How far a partition has been decided.
 *
 * @param decision number of the last decision; 0 before the first
 * @param commandOffset offset of the command it settled, or of a barrier passed since; -1 before the first
 */
public record Cursor(long decision, long commandOffset) {
    /** Before the first decision. */
    public static final Cursor START = new Cursor(0, -1);

    public byte[] encode() {
        return SingleObject.encode(new io.sluice.avro.CursorRow(decision, commandOffset));
    }

    /** @throws UndecodableException if the bytes are not a cursor */
    public static Cursor decode(SingleObject singleObject, byte[] bytes) {
        io.sluice.avro.CursorRow row = singleObject.decode(bytes, io.sluice.avro.CursorRow.class);
        return new Cursor(row.getDecision(), row.getCommandOffset());
    }
}
