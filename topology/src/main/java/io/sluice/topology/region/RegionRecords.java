package io.sluice.topology.region;

import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.ManifestCodec;
import io.sluice.schemas.region.ManifestReport;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.schemas.region.RegionStateRecord;
import io.sluice.state.common.RowBuffer;
import io.sluice.state.region.ManifestDeltaIndex;
import io.sluice.state.region.RegionFact;
import io.sluice.state.region.RegionFact.ManifestAdvanced;
import io.sluice.state.region.RegionFact.RegionDropped;
import io.sluice.state.region.RegionFact.RegionRecorded;
import io.sluice.state.region.RegionFact.RegionRestored;
import io.sluice.state.region.RegionFact.WriteOrdered;
import io.sluice.state.region.RegionKeyFamily;
import io.sluice.state.region.WriteOrderIndex;
import io.sluice.topology.common.RoutedKey;
import io.sluice.topology.common.TopicRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a decision about a region tells others. The topics of orders and of manifests are rows of the store, record by row, so they can
 * never disagree; the topic of states has what data nodes must know of the region's row. Immutable.
 */
final class RegionRecords {
    private final int partition;

    RegionRecords(int partition) {
        this.partition = partition;
    }

    /** @param decision its number */
    List<TopicRecord> of(RegionDecision decided, RowBuffer rows, long decision) {
        List<TopicRecord> records = new ArrayList<>();
        rows.forEach((key, value) -> {
            if (isOrder(key)) {
                records.add(record(RegionTopology.WRITES_SINK, orderKey(key), value));
            } else if (isDelta(key)) {
                records.add(record(RegionTopology.MANIFESTS_SINK, deltaKey(key), value));
            }
        });
        ManifestWriteOrder order = decided.order();
        if (order != null && decided.facts().stream().noneMatch(WriteOrdered.class::isInstance)) {
            records.add(order(order.regionId(), ManifestCodec.encode(order)));
        }
        TopicRecord state = state(decided.facts(), decision);
        if (state != null) {
            records.add(state);
        }
        return records;
    }

    /** Of a report that decided nothing: an order that nobody waits for is closed all the same. */
    List<TopicRecord> ofIgnored(ManifestReport report, RegionDecision decided) {
        return decided.orderClosed() ? List.of(order(report.regionId(), null)) : List.of();
    }

    /** The last that the facts say of the region, if it changed what data nodes must know; else null. */
    private TopicRecord state(List<RegionFact> facts, long decision) {
        TopicRecord last = null;
        for (RegionFact fact : facts) {
            RegionRecord region = fact instanceof RegionRecorded recorded
                    ? recorded.region()
                    : fact instanceof ManifestAdvanced advanced
                            ? advanced.region()
                            : fact instanceof RegionRestored restored ? restored.region() : null;
            if (fact instanceof RegionDropped) {
                last = record(RegionTopology.STATES_SINK, U64.text(fact.regionId()), null);
            } else if (region != null && region.epoch() == decision && !region.isBeingCreated()) {
                last = record(
                        RegionTopology.STATES_SINK,
                        U64.text(region.regionId()),
                        RegionRecordCodec.encode(RegionStateRecord.of(region)));
            }
        }
        return last;
    }

    private TopicRecord order(long regionId, byte[] value) {
        return record(RegionTopology.WRITES_SINK, U64.text(regionId), value);
    }

    /** Whether a row is one of the topic of orders. */
    static boolean isOrder(byte[] rowKey) {
        return rowKey[0] == RegionKeyFamily.WRITE.tag();
    }

    /** The key of its record. */
    static String orderKey(byte[] rowKey) {
        return U64.text(WriteOrderIndex.decodeKey(rowKey));
    }

    /** Whether a row is one of the topic of manifests. */
    static boolean isDelta(byte[] rowKey) {
        return rowKey[0] == RegionKeyFamily.DELTA.tag();
    }

    /** The key of its record. A version is written whole, so there is one chunk of each. */
    static String deltaKey(byte[] rowKey) {
        ManifestDeltaIndex.Key key = ManifestDeltaIndex.decodeKey(rowKey);
        return U64.text(key.regionId()) + "/" + U64.text(key.version()) + "/0";
    }

    private TopicRecord record(String sink, String key, byte[] value) {
        return new TopicRecord(sink, new RoutedKey(key.getBytes(StandardCharsets.UTF_8), partition), value);
    }
}
