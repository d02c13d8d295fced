package io.sluice.tests.model;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.flow.CommentFlow;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.DropFlow;
import io.sluice.schemas.flow.DurationSpec;
import io.sluice.schemas.flow.EvalSchedule;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowDefinition.FlownodeIdSpec;
import io.sluice.schemas.flow.FlowDefinition.RouteSpec;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.QueryContext;
import io.sluice.schemas.flow.ReplaceFlow;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What Sluice should do with flow commands, written from the tables of the behaviour document with plain maps, and nothing of
 * the decider or of the stores. Only values (commands, records, codes) are shared with the program.
 *
 * <p>One thread; records are given in the order in which they lie in their partition. Not modelled: retention, the limits on a
 * record and on a decision, and imported or damaged rows.
 */
public final class FlowModel {
    private static final long FIRST_ID = 1024;
    private static final long MAX_U32 = 4294967295L;
    private static final Map<String, Long> DURATION_TEXTS = Map.of("1h", 3600L, "2 days 1h", 176_400L, "1 minute", 60L);

    private final int commandMaxBytes;
    private final Predicate<String> ownCatalog;
    private final Map<String, Catalog> catalogs = new HashMap<>();
    private final Map<String, Answer> outcomes = new HashMap<>();

    private static final class Catalog {
        private final Map<String, Long> idsByName = new TreeMap<>();
        private final Map<Long, FlowRecord> flowsById = new TreeMap<>();
        private long nextId = FIRST_ID;
    }

    /** @param ownCatalog whether a catalog belongs to the partition its commands are read from */
    public FlowModel(int commandMaxBytes, Predicate<String> ownCatalog) {
        this.commandMaxBytes = commandMaxBytes;
        this.ownCatalog = ownCatalog;
    }

    /**
     * The answer to a record.
     *
     * @param flowId null when there is none
     * @param revision null when there is none
     */
    public record Answer(String commandId, OutcomeCode code, Long flowId, Long revision, boolean applied) {}

    /**
     * What a record leads to.
     *
     * @param answer null when nobody can be answered
     * @param decides whether it is a decision, with rows of its own; else no row is written
     * @param deadLetter whether it is parked
     */
    public record Effect(Answer answer, boolean decides, boolean deadLetter) {}

    /** Settles the next record. */
    public Effect settle(SentCommand sent) {
        int slash = sent.key().lastIndexOf('/');
        String keyId = slash < 1 ? null : sent.key().substring(slash + 1);
        if (keyId == null || !keyId.matches("[A-Za-z0-9._:-]{1,128}")) {
            return notRecorded(sent.header(), OutcomeCode.MALFORMED);
        }
        if (sent.header() != null && !sent.header().equals(keyId)) {
            return notRecorded(sent.header(), OutcomeCode.MALFORMED);
        }
        String catalog = sent.key().substring(0, slash);
        boolean own = ownCatalog.test(catalog);
        CommandEnvelope envelope = sent.body() == null ? null : sent.body().envelope();
        if (envelope != null
                && envelope.partitionKey().equals(catalog)
                && !envelope.commandId().equals(keyId)) {
            String bodyId = envelope.commandId();
            return notRecorded(bodyId.matches("[A-Za-z0-9._:-]{1,128}") ? bodyId : keyId, OutcomeCode.MALFORMED);
        }
        if (envelope == null || !envelope.partitionKey().equals(catalog)) {
            return own ? recorded(sent.key(), keyId, OutcomeCode.MALFORMED) : notRecorded(keyId, OutcomeCode.MALFORMED);
        }
        if (sent.value().length > commandMaxBytes) {
            return own ? recorded(sent.key(), keyId, OutcomeCode.TOO_LARGE) : notRecorded(keyId, OutcomeCode.TOO_LARGE);
        }
        if (!own) {
            return notRecorded(keyId, OutcomeCode.MISROUTED);
        }
        Answer first = outcomes.get(sent.key());
        if (first != null) {
            return new Effect(first, false, false);
        }
        Answer answer = decide(sent.body());
        outcomes.put(sent.key(), answer);
        return new Effect(answer, true, false);
    }

    private Effect recorded(String key, String commandId, OutcomeCode code) {
        Answer first = outcomes.get(key);
        if (first != null) {
            return new Effect(first, false, true);
        }
        Answer answer = new Answer(commandId, code, null, null, false);
        outcomes.put(key, answer);
        return new Effect(answer, true, true);
    }

    private static Effect notRecorded(String commandId, OutcomeCode code) {
        return new Effect(commandId == null ? null : new Answer(commandId, code, null, null, false), false, true);
    }

    // ---- what is there now

    /** The outcome of a command that was decided; null when there is none. */
    public Answer outcome(String catalog, String commandId) {
        return outcomes.get(catalog + "/" + commandId);
    }

    /** Index name: flow name to flow id. */
    public SortedMap<String, Long> names(String catalog) {
        return new TreeMap<>(catalog(catalog).idsByName);
    }

    /** Index info: flow id to record. */
    public SortedMap<Long, FlowRecord> flows(String catalog) {
        return new TreeMap<>(catalog(catalog).flowsById);
    }

    public long nextFlowId(String catalog) {
        return catalog(catalog).nextId;
    }

    /** All rows of all five indices and the allocator of a catalog, in the text form of {@link FlowRowTexts}. */
    public SortedSet<String> rows(String catalog) {
        SortedSet<String> rows = new TreeSet<>();
        Catalog c = catalog(catalog);
        if (c.nextId > FIRST_ID) {
            rows.add(FlowRowTexts.allocator(catalog, c.nextId));
        }
        c.idsByName.forEach((name, id) -> rows.add(FlowRowTexts.name(catalog, name, id)));
        for (FlowRecord flow : c.flowsById.values()) {
            rows.add(FlowRowTexts.info(flow));
            flow.routes().forEach((partition, peer) -> {
                rows.add(FlowRowTexts.route(catalog, flow.flowId(), partition, peer));
                rows.add(FlowRowTexts.flownode(catalog, peer.id(), flow.flowId(), partition));
                for (long table : flow.sourceTableIds()) {
                    rows.add(FlowRowTexts.sourceTable(catalog, table, peer.id(), flow.flowId(), partition, peer));
                }
            });
        }
        return rows;
    }

    /** What the routes topic folds to for a catalog: key to revision and address. */
    public SortedMap<String, String> routesTopic(String catalog) {
        SortedMap<String, String> routes = new TreeMap<>();
        for (FlowRecord flow : catalog(catalog).flowsById.values()) {
            flow.routes()
                    .forEach((partition, peer) -> routes.put(
                            Long.toUnsignedString(peer.id()) + "/" + catalog + "/" + flow.flowId() + "/" + partition,
                            "r" + flow.revision() + " " + peer.addr()));
        }
        return routes;
    }

    private Catalog catalog(String name) {
        return catalogs.computeIfAbsent(name, n -> new Catalog());
    }

    // ---- decisions

    private Answer decide(FlowCommand command) {
        Catalog c = catalog(command.catalog());
        if (command instanceof CreateFlow create) {
            return create(c, create);
        }
        if (command instanceof ReplaceFlow replace) {
            return replace(c, replace);
        }
        if (command instanceof DropFlow drop) {
            return drop(c, drop);
        }
        return comment(c, (CommentFlow) command);
    }

    private Answer create(Catalog c, CreateFlow command) {
        FlowDefinition d = command.definition();
        if (!isU32(command.flowId()) || !fieldsAreFine(d)) {
            return answer(command, OutcomeCode.INVALID_ARGUMENT, null);
        }
        FlowRecord current = find(c, command.flowName());
        if (command.orReplace() && command.createIfNotExists()) {
            return answer(command, OutcomeCode.UNSUPPORTED, current);
        }
        if (current == null) {
            return createNew(c, command);
        }
        boolean anotherId = command.flowId() != null && command.flowId() != current.flowId();
        if (command.orReplace() || command.createIfNotExists()) {
            if (anotherId) {
                return answer(command, OutcomeCode.FLOW_ID_MISMATCH, current);
            }
            return command.orReplace()
                    ? putDefinition(c, command, current, d)
                    : answer(command, OutcomeCode.OK, current);
        }
        if (command.flowId() == null || anotherId) {
            return answer(command, OutcomeCode.FLOW_ALREADY_EXISTS, current);
        }
        FlowRecord stated = record(
                command,
                current.flowName(),
                current.flowId(),
                1,
                d,
                routes(d, current.routes(), new TreeMap<>()),
                storedContext(d.queryContext()),
                0,
                schedule(d, command.envelope()));
        return answer(
                command, sameDefinition(current, stated) ? OutcomeCode.OK : OutcomeCode.FLOW_VALUE_MISMATCH, current);
    }

    private Answer createNew(Catalog c, CreateFlow command) {
        FlowDefinition d = command.definition();
        String name = unwrapped(command.flowName());
        SortedMap<Long, Peer> routes = routes(d, new TreeMap<>(), new TreeMap<>());
        if (!name.matches("[a-zA-Z_:-][a-zA-Z0-9_:\\-.@#]*") || (!pending(d) && routes.isEmpty())) {
            return answer(command, OutcomeCode.INVALID_ARGUMENT, null);
        }
        if (command.flowId() != null && c.flowsById.containsKey(command.flowId())) {
            return answer(command, OutcomeCode.FLOW_ID_TAKEN, null);
        }
        boolean noIdLeft = command.flowId() == null && c.nextId > MAX_U32;
        if ((pending(d) && !defers(d)) || readsItsSink(d) || noIdLeft) {
            return answer(command, OutcomeCode.UNSUPPORTED, null);
        }
        long id = command.flowId() == null ? c.nextId : command.flowId();
        c.nextId = Math.max(c.nextId, id + 1);
        return put(
                c,
                record(
                        command,
                        name,
                        id,
                        1,
                        d,
                        routes,
                        storedContext(d.queryContext()),
                        command.envelope().issuedAtNanos(),
                        schedule(d, command.envelope())));
    }

    private Answer replace(Catalog c, ReplaceFlow command) {
        if (!isU32(command.flowId()) || !fieldsAreFine(command.definition())) {
            return answer(command, OutcomeCode.INVALID_ARGUMENT, null);
        }
        FlowRecord current = find(c, command.flowName());
        OutcomeCode refusal = expectation(current, command.flowId(), command.expectedRevision());
        return refusal != null
                ? answer(command, refusal, current)
                : putDefinition(c, command, current, command.definition());
    }

    private Answer putDefinition(Catalog c, FlowCommand command, FlowRecord current, FlowDefinition d) {
        boolean isPending = current.status() == FlowStatus.PENDING_SOURCES;
        if ((pending(d) && !defers(d)) || pending(d) != isPending || readsItsSink(d)) {
            return answer(command, OutcomeCode.UNSUPPORTED, current);
        }
        SortedMap<Long, Peer> routes = routes(d, current.routes(), current.routes());
        if (!pending(d) && routes.isEmpty()) {
            return answer(command, OutcomeCode.INVALID_ARGUMENT, current);
        }
        QueryContext context = d.queryContext() == null ? current.queryContext() : storedContext(d.queryContext());
        boolean sameInterval = Objects.equals(current.evalIntervalSecs(), secs(d.evalInterval()));
        FlowRecord replaced = record(
                command,
                current.flowName(),
                current.flowId(),
                current.revision() + 1,
                d,
                routes,
                context,
                current.createdTimeNanos(),
                sameInterval ? current.evalSchedule() : schedule(d, command.envelope()));
        return sameDefinition(current, replaced) ? answer(command, OutcomeCode.OK, current) : put(c, replaced);
    }

    private Answer drop(Catalog c, DropFlow command) {
        if (!isU32(command.flowId())) {
            return answer(command, OutcomeCode.INVALID_ARGUMENT, null);
        }
        FlowRecord current = find(c, command.flowName());
        if (current == null && command.ifExists()) {
            return answer(command, OutcomeCode.OK, null);
        }
        OutcomeCode refusal = expectation(current, command.flowId(), command.expectedRevision());
        if (refusal != null) {
            return answer(command, refusal, current);
        }
        c.idsByName.remove(current.flowName());
        c.flowsById.remove(current.flowId());
        return new Answer(command.envelope().commandId(), OutcomeCode.OK, current.flowId(), current.revision(), true);
    }

    private Answer comment(Catalog c, CommentFlow command) {
        FlowRecord current = find(c, command.flowName());
        if (current == null) {
            return answer(command, OutcomeCode.FLOW_NOT_FOUND, null);
        }
        String comment = Objects.requireNonNullElse(command.comment(), "");
        return comment.equals(current.comment())
                ? answer(command, OutcomeCode.OK, current)
                : put(
                        c,
                        current.withComment(
                                comment,
                                current.revision() + 1,
                                command.envelope().commandId(),
                                command.envelope().issuedAtNanos()));
    }

    private static OutcomeCode expectation(FlowRecord current, Long flowId, Long revision) {
        if (current == null) {
            return OutcomeCode.FLOW_NOT_FOUND;
        }
        if (flowId != null && flowId != current.flowId()) {
            return OutcomeCode.FLOW_ID_MISMATCH;
        }
        return revision != null && revision != current.revision() ? OutcomeCode.REVISION_MISMATCH : null;
    }

    private static Answer put(Catalog c, FlowRecord flow) {
        c.idsByName.put(flow.flowName(), flow.flowId());
        c.flowsById.put(flow.flowId(), flow);
        return new Answer(flow.commandId(), OutcomeCode.OK, flow.flowId(), flow.revision(), true);
    }

    private static Answer answer(FlowCommand command, OutcomeCode code, FlowRecord flow) {
        return new Answer(
                command.envelope().commandId(),
                code,
                flow == null ? null : flow.flowId(),
                flow == null ? null : flow.revision(),
                false);
    }

    // ---- names

    private static FlowRecord find(Catalog c, String name) {
        Long id = c.idsByName.get(name);
        if (id == null) {
            id = c.idsByName.get(unwrapped(name));
        }
        return id == null ? null : c.flowsById.get(id);
    }

    private static String unwrapped(String name) {
        boolean quoted = name.length() >= 2
                && (name.startsWith("`") && name.endsWith("`") || name.startsWith("\"") && name.endsWith("\""));
        return quoted ? name.substring(1, name.length() - 1) : name;
    }

    // ---- fields

    private static boolean isU32(Long value) {
        return value == null || value >= 0 && value <= MAX_U32;
    }

    private static boolean fieldsAreFine(FlowDefinition d) {
        if (new HashSet<>(d.sourceTableIds()).size() < d.sourceTableIds().size()) {
            return false;
        }
        Map<Long, Long> byRoute = new HashMap<>();
        Map<Long, Long> byId = new HashMap<>();
        if (d.flowRoutes() != null) {
            for (RouteSpec route : d.flowRoutes()) {
                if (byRoute.put(route.partitionId(), route.peer().id()) != null) {
                    return false;
                }
            }
        }
        if (d.flownodeIds() != null) {
            for (FlownodeIdSpec spec : d.flownodeIds()) {
                if (byId.put(spec.partitionId(), spec.flownodeId()) != null) {
                    return false;
                }
            }
        }
        if (d.flowRoutes() != null && d.flownodeIds() != null && !byRoute.equals(byId)) {
            return false;
        }
        return durationIsFine(d.expireAfter(), 0)
                && durationIsFine(d.evalInterval(), 1)
                && d.options().entrySet().stream().allMatch(option -> optionIsFine(option.getKey(), option.getValue()));
    }

    private static boolean optionIsFine(String key, String value) {
        return switch (key) {
            case "flow_type" -> value.equals("batching") || value.equals("streaming");
            case "defer_on_missing_source" -> value.strip().toLowerCase().matches("true|false");
            case "experimental_enable_incremental_read" -> true;
            default -> false;
        };
    }

    private static boolean durationIsFine(DurationSpec duration, long least) {
        return duration == null || secs(duration) != null && secs(duration) >= least;
    }

    /** Null also for a text that is no duration. */
    private static Long secs(DurationSpec duration) {
        if (duration instanceof DurationSpec.Text text) {
            return DURATION_TEXTS.get(text.value());
        }
        return duration == null ? null : (Long) ((DurationSpec.Seconds) duration).value();
    }

    private static boolean pending(FlowDefinition d) {
        return !d.unresolvedSourceTableNames().isEmpty();
    }

    private static boolean defers(FlowDefinition d) {
        return "true"
                .equalsIgnoreCase(
                        d.options().getOrDefault("defer_on_missing_source", "").strip());
    }

    private static boolean readsItsSink(FlowDefinition d) {
        return d.allSourceTableNames().contains(d.sinkTableName())
                || d.unresolvedSourceTableNames().contains(d.sinkTableName());
    }

    // ---- records

    /**
     * The routes that hold after a definition.
     *
     * @param addressesFrom where a partition that stays on its flownode gets its address when only ids are given
     * @param otherwise when no routes are given
     */
    private static SortedMap<Long, Peer> routes(
            FlowDefinition d, SortedMap<Long, Peer> addressesFrom, SortedMap<Long, Peer> otherwise) {
        SortedMap<Long, Peer> routes = new TreeMap<>();
        if (d.flowRoutes() != null) {
            d.flowRoutes().forEach(route -> routes.put(route.partitionId(), route.peer()));
        } else if (d.flownodeIds() != null) {
            for (FlownodeIdSpec spec : d.flownodeIds()) {
                Peer before = addressesFrom.get(spec.partitionId());
                boolean stays = before != null && before.id() == spec.flownodeId();
                routes.put(spec.partitionId(), stays ? before : new Peer(spec.flownodeId(), ""));
            }
        } else {
            routes.putAll(otherwise);
        }
        return routes;
    }

    private static EvalSchedule schedule(FlowDefinition d, CommandEnvelope envelope) {
        Long interval = secs(d.evalInterval());
        if (interval == null) {
            return null;
        }
        long issuedSecs = envelope.issuedAtNanos() / 1_000_000_000L;
        long start = (issuedSecs + interval - 1) / interval * interval;
        return new EvalSchedule(0, start, "bounded_catch_up", 3, Math.max(300, 3 * interval));
    }

    /** What concerns a single run is not stored. */
    private static QueryContext storedContext(QueryContext c) {
        if (c == null) {
            return null;
        }
        SortedMap<String, String> extensions = new TreeMap<>(c.extensions());
        extensions.remove("flow.scheduled_time_millis");
        return new QueryContext(
                c.currentCatalog(),
                c.currentSchema(),
                c.timezone(),
                extensions,
                c.channel(),
                c.snapshotSeqs(),
                c.sstMinSequences());
    }

    private static FlowRecord record(
            FlowCommand command,
            String name,
            long id,
            long revision,
            FlowDefinition d,
            SortedMap<Long, Peer> routes,
            QueryContext context,
            long createdNanos,
            EvalSchedule schedule) {
        SortedMap<String, String> options = new TreeMap<>(d.options());
        options.putIfAbsent("flow_type", "batching");
        return new FlowRecord(
                command.catalog(),
                id,
                name,
                revision,
                command.envelope().commandId(),
                d.sourceTableIds(),
                d.allSourceTableNames(),
                d.unresolvedSourceTableNames(),
                d.sinkTableName(),
                pending(d) ? new TreeMap<>() : routes,
                context,
                d.rawSql(),
                secs(d.expireAfter()),
                secs(d.evalInterval()),
                Objects.requireNonNullElse(d.comment(), ""),
                options,
                pending(d) ? FlowStatus.PENDING_SOURCES : FlowStatus.ACTIVE,
                createdNanos,
                command.envelope().issuedAtNanos(),
                schedule);
    }

    private static boolean sameDefinition(FlowRecord a, FlowRecord b) {
        return definition(a).equals(definition(b));
    }

    /** Everything but identity, times, the schedule's start, revision and command. The rest of a schedule follows the interval. */
    private static List<Object> definition(FlowRecord r) {
        return Arrays.asList(
                r.sourceTableIds(),
                r.allSourceTableNames(),
                r.unresolvedSourceTableNames(),
                r.sinkTableName(),
                r.routes(),
                r.queryContext(),
                r.rawSql(),
                r.expireAfterSecs(),
                r.evalIntervalSecs(),
                r.comment(),
                r.options(),
                r.status());
    }
}
