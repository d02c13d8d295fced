package io.sluice.schemas.common;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.message.SchemaStore;

/**
 * Writer schemas by fingerprint: those of this version, every released one (they ship with the library), and those a
 * {@link SchemaLookup} finds.
 *
 * <p>Thread-safe. A schema that was found once is kept; one that was not found is asked for again, since its writer may
 * publish it later.
 */
public final class KnownSchemas implements SchemaStore {
    /** Lists the released schema files, one resource path per line. */
    public static final String RELEASED_INDEX = "schemas/released/index.txt";

    /** The records that stand on their own in a topic or row, as of this version. */
    public static final List<Schema> CURRENT = List.of(
            io.sluice.avro.CreateFlow.getClassSchema(),
            io.sluice.avro.ReplaceFlow.getClassSchema(),
            io.sluice.avro.DropFlow.getClassSchema(),
            io.sluice.avro.CommentFlow.getClassSchema(),
            io.sluice.avro.ImportFlow.getClassSchema(),
            io.sluice.avro.ImportFlowIds.getClassSchema(),
            io.sluice.avro.Outcome.getClassSchema(),
            io.sluice.avro.FlowRecord.getClassSchema(),
            io.sluice.avro.FlowNameRow.getClassSchema(),
            io.sluice.avro.FlowIdAllocatorRow.getClassSchema(),
            io.sluice.avro.Peer.getClassSchema(),
            io.sluice.avro.CursorRow.getClassSchema(),
            io.sluice.avro.FlownodeRoute.getClassSchema(),
            io.sluice.avro.Installation.getClassSchema(),
            io.sluice.avro.RegisterFlownode.getClassSchema(),
            io.sluice.avro.ReportFlowState.getClassSchema(),
            io.sluice.avro.FlownodeAddress.getClassSchema(),
            io.sluice.avro.FlownodeReport.getClassSchema(),
            io.sluice.avro.CreateRegion.getClassSchema(),
            io.sluice.avro.AlterRegion.getClassSchema(),
            io.sluice.avro.EditRegion.getClassSchema(),
            io.sluice.avro.FlushRegion.getClassSchema(),
            io.sluice.avro.CompactRegion.getClassSchema(),
            io.sluice.avro.TruncateRegion.getClassSchema(),
            io.sluice.avro.DropRegion.getClassSchema(),
            io.sluice.avro.SetRegionRole.getClassSchema(),
            io.sluice.avro.PublishIndex.getClassSchema(),
            io.sluice.avro.DiscardUnflushed.getClassSchema(),
            io.sluice.avro.ConfirmDeleted.getClassSchema(),
            io.sluice.avro.ImportRegion.getClassSchema(),
            io.sluice.avro.ManifestWriteOrder.getClassSchema(),
            io.sluice.avro.ManifestWritten.getClassSchema(),
            io.sluice.avro.ManifestWriteFailed.getClassSchema(),
            io.sluice.avro.RegionRecord.getClassSchema(),
            io.sluice.avro.FileMeta.getClassSchema(),
            io.sluice.avro.RemovedFilesRow.getClassSchema(),
            io.sluice.avro.QueuedCommand.getClassSchema(),
            io.sluice.avro.RegionStateRecord.getClassSchema(),
            io.sluice.avro.ManifestChunk.getClassSchema(),
            io.sluice.avro.Maintenance.getClassSchema());

    private final Map<Long, Schema> byFingerprint = new ConcurrentHashMap<>();
    private final SchemaLookup lookup;

    public KnownSchemas(SchemaLookup lookup) {
        this.lookup = Objects.requireNonNull(lookup, "lookup");
        CURRENT.forEach(this::add);
        released().forEach(this::add);
    }

    /** Only what ships with this library. */
    public static KnownSchemas shipped() {
        return new KnownSchemas(SchemaLookup.none());
    }

    /** The CRC-64-AVRO fingerprint that single-object encoding carries. */
    public static long fingerprint(Schema schema) {
        return SchemaNormalization.parsingFingerprint64(schema);
    }

    @Override
    public Schema findByFingerprint(long fingerprint) {
        Schema known = byFingerprint.get(fingerprint);
        if (known != null) {
            return known;
        }
        // What is published under a fingerprint that is not its own would read the record as something else.
        return lookup.find(fingerprint)
                .filter(found -> fingerprint(found) == fingerprint)
                .map(found -> {
                    add(found);
                    return found;
                })
                .orElse(null);
    }

    private void add(Schema schema) {
        byFingerprint.putIfAbsent(fingerprint(schema), schema);
    }

    private static List<Schema> released() {
        List<Schema> schemas = new ArrayList<>();
        for (String path : releasedPaths()) {
            try (InputStream in = resource(path)) {
                schemas.add(new Schema.Parser().parse(in));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read the released schema " + path, e);
            }
        }
        return schemas;
    }

    /** Resource paths of all released schemas. */
    public static List<String> releasedPaths() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(resource(RELEASED_INDEX), StandardCharsets.UTF_8))) {
            return lines.lines().filter(line -> !line.isBlank()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + RELEASED_INDEX, e);
        }
    }

    private static InputStream resource(String path) {
        InputStream in = KnownSchemas.class.getClassLoader().getResourceAsStream(path);
        if (in == null) {
            throw new IllegalStateException("resource " + path + " is missing from the library");
        }
        return in;
    }
}
