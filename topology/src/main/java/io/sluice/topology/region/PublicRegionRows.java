package io.sluice.topology.region;

import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.schemas.region.RegionStateKey;
import io.sluice.schemas.region.RegionStateRecord;
import io.sluice.state.region.RegionIndex;
import io.sluice.state.region.RegionKeyFamily;
import io.sluice.topology.common.PublicRecord;
import io.sluice.topology.common.PublicRows;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** What regions say to data nodes, to followers of manifests and to the writers of manifests. One thread. */
public final class PublicRegionRows implements PublicRows {
    private final RegionIndex regions;
    private final int partition;

    public PublicRegionRows(SingleObject singleObject, int partition) {
        this.regions = new RegionIndex(new RegionRecordCodec(singleObject));
        this.partition = partition;
    }

    @Override
    public void tell(byte[] key, byte[] value, Consumer<PublicRecord> followers) {
        if (key[0] == RegionKeyFamily.REGION.tag()) {
            RegionRecord region = regions.decodeValue(value);
            if (!region.isBeingCreated()) {
                followers.accept(new PublicRecord(
                        TopicNames.REGION_STATES,
                        partition,
                        RegionStateKey.of(region.regionId()),
                        RegionRecordCodec.encode(RegionStateRecord.of(region))));
            }
        } else if (RegionRecords.isOrder(key)) {
            followers.accept(record(TopicNames.REGION_WRITES, RegionRecords.orderKey(key), value));
        } else if (RegionRecords.isDelta(key)) {
            followers.accept(record(TopicNames.REGION_MANIFESTS, RegionRecords.deltaKey(key), value));
        }
    }

    private PublicRecord record(String topic, String key, byte[] value) {
        return new PublicRecord(topic, partition, key.getBytes(StandardCharsets.UTF_8), value);
    }
}
