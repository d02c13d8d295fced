package io.sluice.topology.flow;

import static io.sluice.schemas.common.Texts.shortened;

import io.sluice.schemas.flow.EvalSchedule;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.Peer;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The first field in which two records of one flow differ, or their definitions. A definition is everything in a record
 * except its times, the start of its schedule, its revision and the command that produced it; revision, command and
 * identity (catalog, id, name) are never compared.
 *
 * <p>Immutable. Values are compared, never bytes: a record that was stored in another form is still equal.
 *
 * @param field as callers write it
 * @param current shortened
 * @param given shortened
 */
record FlowDifference(String field, String current, String given) {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private record Field(String name, Function<FlowRecord, Object> value) {}

    /** What a definition consists of, in the order of the record's description (docs/formats.md 4.4). */
    private static final List<Field> FIELDS = List.of(
            new Field("source_table_ids", FlowRecord::sourceTableIds),
            new Field("all_source_table_names", FlowRecord::allSourceTableNames),
            new Field("unresolved_source_table_names", FlowRecord::unresolvedSourceTableNames),
            new Field("sink_table_name", FlowRecord::sinkTableName),
            new Field("flow_routes", FlowRecord::routes),
            new Field("query_context", FlowRecord::queryContext),
            new Field("raw_sql", FlowRecord::rawSql),
            new Field("expire_after", FlowRecord::expireAfterSecs),
            new Field("eval_interval_secs", FlowRecord::evalIntervalSecs),
            new Field("comment", FlowRecord::comment),
            new Field("options", FlowRecord::options),
            new Field("status", FlowRecord::status),
            new Field("eval_schedule", FlowDifference::scheduleWithoutStart));

    /** What a record has besides its definition. */
    private static final List<Field> FIELDS_OF_RECORD = List.of(
            new Field("created_time", flow -> time(flow.createdTimeNanos())),
            new Field("updated_time", flow -> time(flow.updatedTimeNanos())),
            new Field("eval_schedule", FlowRecord::evalSchedule));

    /** Null when the definitions are equal. */
    static FlowDifference first(FlowRecord current, FlowRecord given) {
        return first(FIELDS, current, given);
    }

    /** Null when the records are equal. */
    static FlowDifference firstOfRecords(FlowRecord current, FlowRecord given) {
        FlowDifference ofDefinitions = first(FIELDS, current, given);
        return ofDefinitions == null ? first(FIELDS_OF_RECORD, current, given) : ofDefinitions;
    }

    /** Whether the definitions are equal. */
    static boolean none(FlowRecord current, FlowRecord given) {
        return firstField(FIELDS, current, given) == null;
    }

    private static FlowDifference first(List<Field> fields, FlowRecord current, FlowRecord given) {
        Field field = firstField(fields, current, given);
        return field == null ? null : new FlowDifference(field.name(), shown(field, current), shown(field, given));
    }

    private static Field firstField(List<Field> fields, FlowRecord current, FlowRecord given) {
        for (Field field : fields) {
            if (!Objects.equals(field.value().apply(current), field.value().apply(given))) {
                return field;
            }
        }
        return null;
    }

    /** What is compared, for whoever has to explain it. */
    static List<String> fieldNames() {
        return FIELDS.stream().map(Field::name).toList();
    }

    private static EvalSchedule scheduleWithoutStart(FlowRecord flow) {
        EvalSchedule s = FlowRecords.scheduleOf(flow);
        return s == null
                ? null
                : new EvalSchedule(s.anchorSecs(), 0, s.missedTickPolicy(), s.catchupMaxRuns(), s.catchupMaxLagSecs());
    }

    private static OffsetDateTime time(long epochNanos) {
        return LocalDateTime.ofEpochSecond(
                        Math.floorDiv(epochNanos, NANOS_PER_SECOND),
                        Math.floorMod(epochNanos, (int) NANOS_PER_SECOND),
                        ZoneOffset.UTC)
                .atOffset(ZoneOffset.UTC);
    }

    private static String shown(Field field, FlowRecord flow) {
        Object value = field.value().apply(flow);
        return shortened(value == flow.routes() ? routesText(flow.routes()) : String.valueOf(value));
    }

    private static String routesText(SortedMap<Long, Peer> routes) {
        return routes.entrySet().stream()
                .map(e -> e.getKey() + ":" + Long.toUnsignedString(e.getValue().id()) + "@"
                        + e.getValue().addr())
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
