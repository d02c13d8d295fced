package io.sluice.topology.flow;

import static io.sluice.schemas.common.Texts.shortened;

import io.sluice.schemas.common.Names;
import io.sluice.schemas.common.U32;
import io.sluice.schemas.flow.DurationSpec;
import io.sluice.schemas.flow.Durations;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowDefinition.FlownodeIdSpec;
import io.sluice.schemas.flow.FlowDefinition.RouteSpec;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.QueryContext;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Purpose: the field rules of flow commands (docs/behaviour.md 2.2). Each check looks at nothing but the command
 * itself, so a wrong field is refused whether or not a later step would have used it.
 *
 * <p>Threading: stateless.
 *
 * <p>Invariants: a violation is an {@link InvalidFieldException} that names the field as callers write it, its value,
 * shortened, and what is allowed.
 */
final class FlowDefinitionChecks {
    private static final String DEFER_ON_MISSING_SOURCE = "defer_on_missing_source";
    private static final String INCREMENTAL_READ = "experimental_enable_incremental_read";
    private static final String FLOW_TYPE = "flow_type";
    private static final String BATCHING = "batching";
    private static final String STREAMING = "streaming";
    private static final int MAX_CHANNEL = 255;

    private FlowDefinitionChecks() {}

    static void requireCatalog(String catalog) {
        if (!Names.isName(catalog)) {
            throw invalid("catalog", quoted(catalog), "a name that matches " + Names.PATTERN);
        }
    }

    /** The name of a flow that does not exist yet. Existing flows may have any name. */
    static void requireNewFlowName(String flowName) {
        if (!Names.isName(flowName)) {
            throw invalid("flow_name", quoted(flowName), "for a new flow a name that matches " + Names.PATTERN);
        }
    }

    /** The name of a flow that comes from elsewhere: anything that can stand in a key. */
    static void requireStoredFlowName(String flowName) {
        if (flowName.isEmpty() || flowName.indexOf('\n') >= 0 || flowName.indexOf('\r') >= 0) {
            throw invalid("flow_name", quoted(flowName), "text that is not empty and has no line break");
        }
    }

    /** @param flowId null when not given */
    static void requireFlowId(Long flowId) {
        if (flowId != null) {
            requireU32("flow_id", flowId);
        }
    }

    static CheckedFlowDefinition check(FlowDefinition d) {
        requireDistinctU32("source_table_ids", d.sourceTableIds());
        SortedMap<Long, Peer> routes = routes(d.flowRoutes(), d.flownodeIds());
        requireChannel(d.queryContext());
        Long expireAfterSecs = seconds("expire_after", d.expireAfter());
        Long evalIntervalSecs = evalIntervalSecs(d.evalInterval());
        d.options().forEach(FlowDefinitionChecks::requireOption);
        SortedMap<String, String> options = new TreeMap<>(d.options());
        options.putIfAbsent(FLOW_TYPE, BATCHING);
        return new CheckedFlowDefinition(
                d.sinkTableName(),
                d.sourceTableIds(),
                d.allSourceTableNames(),
                d.unresolvedSourceTableNames(),
                routes,
                d.flowRoutes() != null,
                d.queryContext() == null ? null : d.queryContext().withoutScheduledTime(),
                d.rawSql(),
                expireAfterSecs,
                evalIntervalSecs,
                d.comment() == null ? "" : d.comment(),
                options,
                isTrue(options.get(DEFER_ON_MISSING_SOURCE)));
    }

    /** @param interval null when not given */
    static Long evalIntervalSecs(DurationSpec interval) {
        Long seconds = seconds("eval_interval_secs", interval);
        if (seconds != null && seconds == 0) {
            throw invalid("eval_interval_secs", shown(interval), "at least 1 second, or null for no interval");
        }
        return seconds;
    }

    private static SortedMap<Long, Peer> routes(List<RouteSpec> flowRoutes, List<FlownodeIdSpec> flownodeIds) {
        SortedMap<Long, Peer> byRoute = null;
        if (flowRoutes != null) {
            byRoute = new TreeMap<>();
            for (RouteSpec route : flowRoutes) {
                addPartition("flow_routes", byRoute, route.partitionId(), route.peer());
            }
        }
        SortedMap<Long, Peer> byId = null;
        if (flownodeIds != null) {
            byId = new TreeMap<>();
            for (FlownodeIdSpec spec : flownodeIds) {
                addPartition("flownode_ids", byId, spec.partitionId(), new Peer(spec.flownodeId(), ""));
            }
        }
        if (byRoute != null && byId != null) {
            requireAgreement(byRoute, byId);
        }
        return byRoute != null ? byRoute : byId;
    }

    private static void addPartition(String field, SortedMap<Long, Peer> routes, long partitionId, Peer peer) {
        requireU32(field + " partition_id", partitionId);
        if (routes.put(partitionId, peer) != null) {
            throw invalid(field, "partition " + partitionId + " given twice", "each partition once");
        }
    }

    private static void requireAgreement(SortedMap<Long, Peer> byRoute, SortedMap<Long, Peer> byId) {
        if (!byRoute.keySet().equals(byId.keySet())) {
            throw invalid(
                    "flownode_ids",
                    "for partitions " + shortened(byId.keySet().toString()),
                    "the partitions of flow_routes, "
                            + shortened(byRoute.keySet().toString()) + ", or only one of the two fields");
        }
        byRoute.forEach((partitionId, peer) -> {
            long flownodeId = byId.get(partitionId).id();
            if (peer.id() != flownodeId) {
                throw invalid(
                        "flownode_ids",
                        "partition " + partitionId + " on flownode " + Long.toUnsignedString(flownodeId),
                        "flownode " + Long.toUnsignedString(peer.id())
                                + " as in flow_routes, or only one of the two fields");
            }
        });
    }

    static void requireDistinctU32(String field, List<Long> ids) {
        Set<Long> seen = new HashSet<>();
        for (long id : ids) {
            requireU32(field, id);
            if (!seen.add(id)) {
                throw invalid(field, id + " given twice", "each id once");
            }
        }
    }

    static void requireU32(String field, long value) {
        if (!U32.fits(value)) {
            throw invalid(field, Long.toString(value), "0 to " + U32.MAX);
        }
    }

    static void requireChannel(QueryContext context) {
        if (context != null && (context.channel() < 0 || context.channel() > MAX_CHANNEL)) {
            throw invalid("query_context.channel", Integer.toString(context.channel()), "0 to " + MAX_CHANNEL);
        }
    }

    static Long seconds(String field, DurationSpec duration) {
        if (duration == null) {
            return null;
        }
        try {
            return Durations.toSeconds(duration);
        } catch (IllegalArgumentException e) {
            String value = duration.toString();
            if (shortened(value).equals(value)) {
                throw new InvalidFieldException(field + ": " + e.getMessage());
            }
            throw invalid(
                    field,
                    shown(duration),
                    "0 to " + Durations.MAX_SECS + " seconds, or parts such as \"2 days 1h\" with the units second,"
                            + " minute, hour, day, week");
        }
    }

    static void requireOption(String key, String value) {
        String field = "options." + key;
        switch (key) {
            case INCREMENTAL_READ -> {}
            case DEFER_ON_MISSING_SOURCE -> {
                if (!isTrue(value) && !"false".equalsIgnoreCase(value.strip())) {
                    throw invalid(field, quoted(value), "true or false");
                }
            }
            case FLOW_TYPE -> {
                if (!value.equals(BATCHING) && !value.equals(STREAMING)) {
                    throw invalid(field, quoted(value), BATCHING + " or " + STREAMING);
                }
            }
            default ->
                throw invalid(
                        "options",
                        "unknown key " + quoted(key),
                        "the keys " + DEFER_ON_MISSING_SOURCE + ", " + INCREMENTAL_READ + " and " + FLOW_TYPE);
        }
    }

    private static boolean isTrue(String value) {
        return value != null && "true".equalsIgnoreCase(value.strip());
    }

    private static String shown(DurationSpec duration) {
        return duration instanceof DurationSpec.Text text ? quoted(text.value()) : duration.toString();
    }

    private static String quoted(String text) {
        return '"' + shortened(text) + '"';
    }

    private static InvalidFieldException invalid(String field, String value, String allowed) {
        return new InvalidFieldException(field + " is " + value + ": allowed is " + allowed);
    }
}
