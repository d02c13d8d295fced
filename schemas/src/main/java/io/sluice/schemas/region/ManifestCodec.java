package io.sluice.schemas.region;

import io.sluice.schemas.common.SingleObject;

/** Manifest writes on their way out: the values of the writes topic and of the manifests topic, to and from bytes. Thread-safe. */
public final class ManifestCodec {
    private final SingleObject singleObject;

    public ManifestCodec(SingleObject singleObject) {
        this.singleObject = singleObject;
    }

    public static byte[] encode(ManifestWriteOrder o) {
        return SingleObject.encode(new io.sluice.avro.ManifestWriteOrder(
                o.regionId(),
                o.incarnation(),
                o.commandId(),
                o.version(),
                io.sluice.avro.ManifestWriteKind.valueOf(o.kind().name()),
                RegionAvro.actionsToAvro(o.actions())));
    }

    /** @throws io.sluice.schemas.common.UndecodableException if the bytes are not an order to write */
    public ManifestWriteOrder decodeOrder(byte[] bytes) {
        io.sluice.avro.ManifestWriteOrder o = singleObject.decode(bytes, io.sluice.avro.ManifestWriteOrder.class);
        return RegionAvro.checked(
                "ManifestWriteOrder",
                () -> new ManifestWriteOrder(
                        o.getRegionId(),
                        o.getIncarnation(),
                        o.getCommandId(),
                        o.getVersion(),
                        RegionAvro.fromAvro("kind", o.getKind(), ManifestWriteKind.class),
                        RegionAvro.actionsFromAvro(o.getActions())));
    }

    public static byte[] encode(ManifestChunk c) {
        return SingleObject.encode(new io.sluice.avro.ManifestChunk(
                c.regionId(),
                c.incarnation(),
                c.version(),
                c.commandId(),
                c.chunk(),
                c.last(),
                c.continues(),
                RegionAvro.actionsToAvro(c.actions())));
    }

    /** @throws io.sluice.schemas.common.UndecodableException if the bytes are not a part of a manifest's version */
    public ManifestChunk decodeChunk(byte[] bytes) {
        io.sluice.avro.ManifestChunk c = singleObject.decode(bytes, io.sluice.avro.ManifestChunk.class);
        return RegionAvro.checked(
                "ManifestChunk",
                () -> new ManifestChunk(
                        c.getRegionId(),
                        c.getIncarnation(),
                        c.getVersion(),
                        c.getCommandId(),
                        c.getChunk(),
                        c.getLast(),
                        c.getContinues(),
                        RegionAvro.actionsFromAvro(c.getActions())));
    }
}
