package io.sluice.service.greptime;

import io.sluice.service.cut.TemporaryRows;
import io.sluice.service.greptime.SnapshotKey.Generation;
import io.sluice.state.common.KeyReader;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.flow.FlowTextKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.BiConsumer;

/**
 * The rows of a file on disk, so that those that belong together come together, in whichever order they stand in the file.
 *
 * <pre>
 *  tag rows                     key parts                                        value
 *  01  as they stand            length of key, key, number of the row            place in the file, value
 *  02  those of one flow        generation, scope 00 flow_id, kind, numbers      value
 *  03  names                    generation, catalog 00 flow name                 flow_id
 *  04  who has a name           catalog 00 flow name                             id in the file
 *  05  who has an id            catalog 00 flow_id                               id in the file
 * </pre>
 *
 * <p>One thread. The scope is the catalog in layouts whose keys all have it, and empty in today's, where an id says everything.
 */
final class SnapshotRows {
    private static final byte AS_THEY_STAND = 1;
    private static final byte OF_FLOWS = 2;
    private static final byte NAMES = 3;
    private static final byte NAME_HOLDERS = 4;
    private static final byte ID_HOLDERS = 5;

    private static final Generation[] GENERATIONS = Generation.values();
    private static final Kind[] KINDS = Kind.values();

    private final TemporaryRows.Space rows;
    private long count;

    SnapshotRows(TemporaryRows.Space rows) {
        this.rows = rows;
    }

    /** How a flow is called in a file. */
    record FileId(Generation generation, String scope, long flowId) {
        static FileId of(Generation generation, String catalog, long flowId) {
            return new FileId(generation, generation == Generation.TODAY ? "" : catalog, flowId);
        }

        private KeyWriter key(byte tag) {
            return new KeyWriter(tag).u32(generation.ordinal()).text(scope).u32(flowId);
        }

        private byte[] bytes() {
            return key(OF_FLOWS).bytes();
        }

        private static FileId read(KeyReader key) {
            return new FileId(GENERATIONS[(int) key.u32()], key.text(), key.u32());
        }
    }

    /** What a row is to its flow; in this order they come. */
    enum Kind {
        /** The encoded record; zero bytes when the flow is left out, which was said already. */
        INFO,
        /** The text of an old {@code expire_when}. */
        EXPIRE_TEXT,
        ROUTE,
        FLOWNODE,
        SOURCE_TABLE
    }

    /** Keeps a row as it stands. */
    void keep(String place, String key, byte[] value) {
        byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
        ByteBuffer rowKey = ByteBuffer.allocate(1 + Integer.BYTES + utf8.length + Long.BYTES);
        rowKey.put(AS_THEY_STAND).putInt(utf8.length).put(utf8).putLong(count++);
        byte[] where = place.getBytes(StandardCharsets.UTF_8);
        ByteBuffer rowValue = ByteBuffer.allocate(Integer.BYTES + where.length + value.length);
        rowValue.putInt(where.length).put(where).put(value);
        rows.set(rowKey.array(), rowValue.array());
    }

    /** Takes rows as they stand. */
    interface Standing {
        /** @param again whether the key is that of the row before */
        void row(String place, String key, byte[] value, boolean again);
    }

    /** Visits what was kept; rows of the same key come one after the other, in the order in which they stand. */
    void forEach(Standing visitor) {
        String[] last = {null};
        rows.scanPrefix(new byte[] {AS_THEY_STAND}, (rowKey, rowValue) -> {
            String key = text(ByteBuffer.wrap(rowKey, 1, rowKey.length - 1));
            ByteBuffer value = ByteBuffer.wrap(rowValue);
            String place = text(value);
            byte[] rest = Arrays.copyOfRange(rowValue, value.position(), rowValue.length);
            visitor.row(place, key, rest, key.equals(last[0]));
            last[0] = key;
            return true;
        });
    }

    private static String text(ByteBuffer from) {
        byte[] utf8 = new byte[from.getInt()];
        from.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    void putInfo(FileId id, byte[] value) {
        put(id, Kind.INFO, value);
    }

    void putExpireText(FileId id, String text) {
        put(id, Kind.EXPIRE_TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    private void put(FileId id, Kind kind, byte[] value) {
        rows.set(id.key(OF_FLOWS).u32(kind.ordinal()).bytes(), value);
    }

    void putRoute(FileId id, FlowTextKey.Route route, byte[] value) {
        rows.set(
                id.key(OF_FLOWS)
                        .u32(Kind.ROUTE.ordinal())
                        .u32(route.partitionId())
                        .bytes(),
                value);
    }

    void putFlownode(FileId id, FlowTextKey.Flownode row) {
        rows.set(
                id.key(OF_FLOWS)
                        .u32(Kind.FLOWNODE.ordinal())
                        .u64(row.flownodeId())
                        .u32(row.partitionId())
                        .bytes(),
                new byte[0]);
    }

    void putSourceTable(FileId id, FlowTextKey.SourceTable row, byte[] value) {
        rows.set(
                id.key(OF_FLOWS)
                        .u32(Kind.SOURCE_TABLE.ordinal())
                        .u32(row.tableId())
                        .u64(row.flownodeId())
                        .u32(row.partitionId())
                        .bytes(),
                value);
    }

    /** The info row of a flow; null when there is none. */
    byte[] info(FileId id) {
        return rows.get(id.key(OF_FLOWS).u32(Kind.INFO.ordinal()).bytes());
    }

    /** Visits the rows of all flows, those of one flow together. */
    void forEachFlow(BiConsumer<FileId, FlowRows> visitor) {
        FileId[] id = {null};
        FlowRows[] ofFlow = {null};
        rows.scanPrefix(new byte[] {OF_FLOWS}, (rowKey, value) -> {
            KeyReader key = new KeyReader(rowKey, OF_FLOWS, "a row of a flow in a file");
            FileId of = FileId.read(key);
            if (!of.equals(id[0])) {
                if (id[0] != null) {
                    visitor.accept(id[0], ofFlow[0]);
                }
                id[0] = of;
                ofFlow[0] = new FlowRows();
            }
            ofFlow[0].add(KINDS[(int) key.u32()], of, key, value);
            return true;
        });
        if (id[0] != null) {
            visitor.accept(id[0], ofFlow[0]);
        }
    }

    void putName(Generation generation, FlowTextKey.Name name, long flowId) {
        rows.set(
                nameKey(generation, name.catalog(), name.flowName()),
                new KeyWriter(NAMES).u32(flowId).bytes());
    }

    /** Whether a name row of its layout says that a flow has a name. */
    boolean isNamed(FileId id, String catalog, String flowName) {
        return names(id.generation(), catalog, flowName, id.flowId())
                // There the name of a flow in a catalog called "name" has the text of today's.
                || id.generation() == Generation.BETWEEN && names(Generation.TODAY, catalog, flowName, id.flowId());
    }

    private boolean names(Generation generation, String catalog, String flowName, long flowId) {
        byte[] value = rows.get(nameKey(generation, catalog, flowName));
        return value != null && flowId(value) == flowId;
    }

    /** Takes name rows. */
    interface Named {
        void row(Generation generation, FlowTextKey.Name name, FileId points);
    }

    void forEachName(Named visitor) {
        rows.scanPrefix(new byte[] {NAMES}, (rowKey, value) -> {
            KeyReader key = new KeyReader(rowKey, NAMES, "a name in a file");
            Generation generation = GENERATIONS[(int) key.u32()];
            FlowTextKey.Name name = new FlowTextKey.Name(key.text(), key.tail());
            visitor.row(generation, name, FileId.of(generation, name.catalog(), flowId(value)));
            return true;
        });
    }

    private static byte[] nameKey(Generation generation, String catalog, String flowName) {
        return new KeyWriter(NAMES)
                .u32(generation.ordinal())
                .text(catalog)
                .tail(flowName)
                .bytes();
    }

    private static long flowId(byte[] value) {
        return new KeyReader(value, NAMES, "a flow id").u32();
    }

    /** The first flow that claimed a name, which is this one if nobody did. */
    FileId claimName(String catalog, String flowName, FileId id) {
        return claim(new KeyWriter(NAME_HOLDERS).text(catalog).tail(flowName).bytes(), id);
    }

    /** The flow that claimed a name; null when none did. */
    FileId nameHolder(String catalog, String flowName) {
        byte[] holder = rows.get(
                new KeyWriter(NAME_HOLDERS).text(catalog).tail(flowName).bytes());
        return holder == null ? null : read(holder);
    }

    /** The first flow that claimed an id, which is this one if nobody did. */
    FileId claimId(String catalog, long flowId, FileId id) {
        return claim(new KeyWriter(ID_HOLDERS).text(catalog).u32(flowId).bytes(), id);
    }

    private FileId claim(byte[] key, FileId id) {
        byte[] holder = rows.get(key);
        if (holder != null) {
            return read(holder);
        }
        rows.set(key, id.bytes());
        return id;
    }

    private static FileId read(byte[] holder) {
        return FileId.read(new KeyReader(holder, OF_FLOWS, "a flow in a file"));
    }
}
