package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.client.Json;
import io.sluice.service.verify.PartitionReport;
import io.sluice.service.verify.VerifyReport;
import io.sluice.state.common.KeyFamily;
import io.sluice.state.common.Keys;
import io.sluice.state.common.RowDigest;
import io.sluice.state.common.RowFinding;
import java.util.Map;

/**
 * Purpose: what a verification saw, as JSON.
 *
 * <p>Threading: stateless.
 */
final class VerifyJson {
    private VerifyJson() {}

    /** One row that is wrong. */
    static ObjectNode finding(FamilyPartition partition, RowFinding finding) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("finding", finding.code().name());
        json.put("level", finding.code().level().name());
        json.put("partition", partition.toString());
        json.put("key", finding.where());
        json.put("row_key", Keys.hex(finding.key()));
        json.put("message", finding.message());
        json.put("mendable", finding.isMendable());
        return json;
    }

    /** The whole report, without the findings. */
    static ObjectNode report(VerifyReport report) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("errors", report.errors());
        json.put("warnings", report.warnings());
        json.put("records", report.records());
        json.put("took_ms", report.took().toMillis());
        json.put("records_per_s", report.recordsPerSecond());
        ObjectNode digests = json.putObject("digests");
        for (CommandFamily family : CommandFamily.values()) {
            digests.set(family.label(), digests(report.digests(family)));
        }
        ArrayNode partitions = json.putArray("partitions");
        report.partitions().forEach(partition -> partitions.add(partition(partition)));
        return json;
    }

    private static ObjectNode partition(PartitionReport report) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("partition", report.partition().toString());
        json.put("position", report.position().toString());
        json.put("offset", report.offset());
        json.put("records", report.records());
        json.put("errors", report.errors());
        json.put("warnings", report.warnings());
        json.set("digests", digests(report.digests()));
        return json;
    }

    private static ObjectNode digests(Map<KeyFamily, RowDigest> digests) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        digests.forEach((family, digest) ->
                json.putObject(family.label()).put("rows", digest.rows()).put("sha256", digest.sha256()));
        return json;
    }
}
