package io.sluice.schemas.region;

import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.region.ManifestReport.ManifestWriteFailed;
import io.sluice.schemas.region.ManifestReport.ManifestWritten;

/** The writer's reports to and from the bytes of the reports topic. Thread-safe. */
public final class ManifestReportCodec {
    private final SingleObject singleObject;

    public ManifestReportCodec(SingleObject singleObject) {
        this.singleObject = singleObject;
    }

    public static byte[] encode(ManifestReport report) {
        if (report instanceof ManifestWritten written) {
            return SingleObject.encode(
                    new io.sluice.avro.ManifestWritten(written.regionId(), written.commandId(), written.version()));
        }
        ManifestWriteFailed failed = (ManifestWriteFailed) report;
        return SingleObject.encode(new io.sluice.avro.ManifestWriteFailed(
                failed.regionId(), failed.commandId(), failed.version(), failed.reason()));
    }

    /** @throws UndecodableException if the bytes are not a report about a manifest write */
    public ManifestReport decode(byte[] bytes) {
        String kind = singleObject.writerSchema(bytes).getFullName();
        return switch (kind) {
            case "io.sluice.avro.ManifestWritten" ->
                fromAvro(singleObject.decode(bytes, io.sluice.avro.ManifestWritten.class));
            case "io.sluice.avro.ManifestWriteFailed" ->
                fromAvro(singleObject.decode(bytes, io.sluice.avro.ManifestWriteFailed.class));
            default ->
                throw new UndecodableException("value is a " + Texts.shortened(kind)
                        + ", which is no report of a manifest write: expected ManifestWritten or ManifestWriteFailed");
        };
    }

    private static ManifestWritten fromAvro(io.sluice.avro.ManifestWritten r) {
        return new ManifestWritten(r.getRegionId(), r.getCommandId(), r.getVersion());
    }

    private static ManifestWriteFailed fromAvro(io.sluice.avro.ManifestWriteFailed r) {
        return new ManifestWriteFailed(r.getRegionId(), r.getCommandId(), r.getVersion(), r.getReason());
    }
}
