package io.sluice.tests.model;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.flow.CommentFlow;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.DropFlow;
import io.sluice.schemas.flow.DurationSpec;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowDefinition.FlownodeIdSpec;
import io.sluice.schemas.flow.FlowDefinition.RouteSpec;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.QueryContext;
import io.sluice.schemas.flow.ReplaceFlow;
import io.sluice.schemas.flow.TableName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * Turns random numbers into commands over small pools of names, ids, tables and flownodes, so that they collide often: creates
 * with and without flags and ids, replaces and drops with and without expectations, comments, retries of earlier ids, and a few
 * records that are broken in one way or another.
 *
 * <p>One thread; remembers what it sent, for the retries. The same numbers give the same commands, and smaller numbers plainer
 * ones: all zeros is a create without any flag.
 */
public final class FlowCommands {
    /** Numbers that one command is made of. */
    public static final int NUMBERS_PER_COMMAND = 36;

    private static final String[] FLOW_NAMES = {
        "f", "g", "f", "g", "f", "h", "f", "g", "`f`", "\"g\"", "f", "1 bad name"
    };
    private static final Long[] FLOW_IDS = {1024L, 1025L, 1026L, 1024L, 10L, 2000L, 4294967295L, 4294967296L};
    private static final long[] FLOWNODES = {1, 2, 3, -1};
    private static final String[] SQL = {"SELECT 1 FROM a", "SELECT 2 FROM a", "SELECT '流' FROM b"};

    private final List<String> catalogs;
    private final String foreignCatalog;
    private final String idPrefix;
    private final int commandMaxBytes;
    private final List<SentCommand> sent = new ArrayList<>();

    /**
     * @param catalogs at least one
     * @param foreignCatalog a catalog of another partition, whose commands are sent here by mistake; null for none
     * @param idPrefix begins all command ids
     * @param commandMaxBytes the limit that now and then a command exceeds; 0 for never
     */
    public FlowCommands(List<String> catalogs, String foreignCatalog, String idPrefix, int commandMaxBytes) {
        this.catalogs = List.copyOf(catalogs);
        this.foreignCatalog = foreignCatalog;
        this.idPrefix = idPrefix;
        this.commandMaxBytes = commandMaxBytes;
    }

    /** Numbers for one command. */
    public static List<Integer> numbers(Random random) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < NUMBERS_PER_COMMAND; i++) {
            numbers.add(random.nextInt(10_000));
        }
        return numbers;
    }

    /** The next command. */
    public SentCommand next(List<Integer> numbers) {
        SentCommand next = make(new Draw(numbers));
        sent.add(next);
        return next;
    }

    private SentCommand make(Draw draw) {
        int kind = draw.below(28);
        // Most go to one catalog, so that names meet.
        String catalog = draw.below(4) < 3 ? catalogs.get(0) : draw.of(catalogs);
        String flowName = FLOW_NAMES[draw.below(FLOW_NAMES.length)];
        CommandEnvelope envelope = envelope(catalog, draw);
        if (kind < 12) {
            return plain(create(envelope, flowName, draw));
        }
        if (kind < 18) {
            return plain(replace(envelope, flowName, draw));
        }
        if (kind < 20) {
            return plain(new DropFlow(
                    envelope, flowName, draw.rarely(4, FLOW_IDS), draw.rarely(3, 1L, 2L, 3L), draw.once(3)));
        }
        if (kind < 23) {
            return plain(new CommentFlow(envelope, flowName, draw.of(Arrays.asList("x", "y", "", null))));
        }
        if (kind < 26) {
            return retry(envelope, flowName, draw);
        }
        return flawed(envelope, flowName, draw);
    }

    private CommandEnvelope envelope(String catalog, Draw draw) {
        int number = sent.size();
        long issuedAtNanos = 1_700_000_000_000_000_000L + number * 45_500_000_000L + draw.below(1000);
        return new CommandEnvelope(catalog, idPrefix + number, issuedAtNanos, draw.once(4) ? "ann" : "kafka");
    }

    private CreateFlow create(CommandEnvelope envelope, String flowName, Draw draw) {
        int flags = draw.below(8);
        return new CreateFlow(
                envelope,
                flowName,
                draw.rarely(3, FLOW_IDS),
                flags == 5 || flags == 6 || flags == 7,
                flags == 4 || flags == 7,
                definition(draw, false));
    }

    private ReplaceFlow replace(CommandEnvelope envelope, String flowName, Draw draw) {
        return new ReplaceFlow(
                envelope,
                flowName,
                draw.rarely(5, FLOW_IDS),
                draw.rarely(3, 1L, 2L, 3L, -1L),
                definition(draw, draw.once(2)));
    }

    /** An earlier command is sent again, as it was or with another body under its id. */
    private SentCommand retry(CommandEnvelope envelope, String flowName, Draw draw) {
        if (sent.isEmpty()) {
            return plain(create(envelope, flowName, draw));
        }
        SentCommand earlier = sent.get(draw.below(sent.size()));
        if (earlier.body() == null || draw.below(4) > 0) {
            return earlier;
        }
        CommandEnvelope first = earlier.body().envelope();
        FlowCommand other = new DropFlow(
                new CommandEnvelope(first.partitionKey(), first.commandId(), envelope.issuedAtNanos()),
                flowName,
                null,
                null,
                true);
        return new SentCommand(earlier.key(), FlowCommandCodec.encode(other), earlier.header(), other);
    }

    private SentCommand flawed(CommandEnvelope envelope, String flowName, Draw draw) {
        FlowCommand command = create(envelope, flowName, draw);
        SentCommand good = plain(command);
        return switch (draw.below(10)) {
            case 0 -> new SentCommand(good.key(), Arrays.copyOf(good.value(), good.value().length - 2), null, null);
            case 1 -> new SentCommand(good.key(), new byte[] {1, 2, 3}, null, null);
            case 2 -> new SentCommand(good.key(), outcome(envelope.commandId()), null, null);
            case 3 -> new SentCommand(envelope.partitionKey() + "/" + flowName, good.value(), null, command);
            case 4 ->
                new SentCommand(envelope.partitionKey() + "/" + flowName, good.value(), envelope.commandId(), command);
            case 5 -> new SentCommand(good.key(), good.value(), "another-id", command);
            case 6 -> new SentCommand("no-slash", good.value(), null, command);
            case 7 -> new SentCommand("no-slash", good.value(), envelope.commandId(), command);
            case 8 -> misrouted(envelope, flowName, draw);
            default -> tooLarge(envelope, flowName);
        };
    }

    private SentCommand misrouted(CommandEnvelope envelope, String flowName, Draw draw) {
        return foreignCatalog == null
                ? plain(create(envelope, flowName, draw))
                : plain(create(
                        new CommandEnvelope(foreignCatalog, envelope.commandId(), envelope.issuedAtNanos()),
                        flowName,
                        draw));
    }

    private SentCommand tooLarge(CommandEnvelope envelope, String flowName) {
        FlowDefinition definition = new FlowDefinition(
                table("out"),
                List.of(1024L),
                List.of(),
                List.of(),
                List.of(new RouteSpec(0, new Peer(1, "a:1"))),
                null,
                null,
                "x".repeat(commandMaxBytes),
                null,
                null,
                null,
                new TreeMap<>());
        return plain(new CreateFlow(envelope, flowName, null, false, false, definition));
    }

    private static SentCommand plain(FlowCommand command) {
        CommandEnvelope envelope = command.envelope();
        String key = new CommandKey(envelope.partitionKey(), envelope.commandId()).toString();
        // Half of the producers set the header.
        String header = envelope.issuedAtNanos() % 2 == 0 ? null : envelope.commandId();
        return new SentCommand(key, FlowCommandCodec.encode(command), header, command);
    }

    private static byte[] outcome(String commandId) {
        return OutcomeCodec.encode(new Outcome(
                commandId, OutcomeCode.OK, "", "c", 1L, "f", 1L, true, new Position("flow", 0, 1), "kafka"));
    }

    // ---- definitions

    /** One in three is a plain definition, so that equal ones meet often. */
    private static FlowDefinition definition(Draw draw, boolean routesKept) {
        boolean plain = draw.below(3) == 0;
        String sql = SQL[draw.below(plain ? 2 : SQL.length)];
        if (plain) {
            return new FlowDefinition(
                    table("out"),
                    List.of(1024L),
                    List.of(table("t1024")),
                    List.of(),
                    routesKept ? null : List.of(new RouteSpec(0, peer(1, 0))),
                    null,
                    null,
                    sql,
                    null,
                    null,
                    null,
                    new TreeMap<>());
        }
        List<Long> tableIds = tableIds(draw);
        Routes routes = routesKept ? new Routes(null, null) : routes(draw);
        TreeMap<String, String> options = options(draw);
        return new FlowDefinition(
                draw.once(12) ? table("t1024") : table(draw.once(3) ? "out2" : "out"),
                tableIds,
                draw.once(4)
                        ? List.of()
                        : tableIds.stream()
                                .distinct()
                                .map(id -> table("t" + id))
                                .toList(),
                draw.once(6) ? List.of(table(draw.once(2) ? "late" : "later")) : List.of(),
                routes.byPeer(),
                routes.byId(),
                context(draw),
                sql,
                draw.of(Arrays.asList(
                        null,
                        null,
                        DurationSpec.ofSeconds(3600),
                        DurationSpec.ofText("1h"),
                        DurationSpec.ofText("2 days 1h"),
                        DurationSpec.ofSeconds(0))),
                draw.once(30)
                        ? draw.of(List.of(DurationSpec.ofSeconds(0), DurationSpec.ofText("1 month")))
                        : draw.of(
                                Arrays.asList(null, null, DurationSpec.ofSeconds(60), DurationSpec.ofText("1 minute"))),
                draw.of(Arrays.asList(null, "", "it's")),
                options);
    }

    private static List<Long> tableIds(Draw draw) {
        int bits = draw.below(8);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            if ((bits >> i & 1) == 1) {
                ids.add(1024L + i);
            }
        }
        if (draw.once(3)) {
            Collections.reverse(ids);
        }
        if (draw.once(40) && !ids.isEmpty()) {
            ids.add(ids.get(0));
        }
        return ids;
    }

    /** As a command states them; null is "not given". */
    private record Routes(List<RouteSpec> byPeer, List<FlownodeIdSpec> byId) {}

    private static Routes routes(Draw draw) {
        List<RouteSpec> byPeer = new ArrayList<>();
        List<FlownodeIdSpec> byId = new ArrayList<>();
        int count = 1 + draw.below(3);
        long step = draw.once(3) ? 7 : 1;
        for (int i = 0; i < count; i++) {
            long flownodeId = FLOWNODES[draw.below(FLOWNODES.length)];
            byPeer.add(new RouteSpec(i * step, peer(flownodeId, draw.below(2))));
            byId.add(new FlownodeIdSpec(i * step, flownodeId));
        }
        return switch (draw.below(16)) {
            case 8, 9, 10 -> new Routes(null, byId);
            case 11, 12 -> new Routes(byPeer, byId);
            case 13 -> new Routes(null, null);
            case 14 -> new Routes(List.of(), null);
            case 15 -> {
                byId.set(0, new FlownodeIdSpec(byId.get(0).partitionId(), 99));
                if (draw.once(2)) {
                    byPeer.add(byPeer.get(0));
                }
                yield new Routes(byPeer, byId);
            }
            default -> new Routes(byPeer, null);
        };
    }

    private static Peer peer(long flownodeId, int which) {
        return new Peer(flownodeId, "10.0.0." + Long.toUnsignedString(flownodeId) + ":680" + which);
    }

    private static TableName table(String name) {
        return new TableName("greptime", "public", name);
    }

    private static QueryContext context(Draw draw) {
        int which = draw.below(4);
        if (which < 2) {
            return null;
        }
        TreeMap<String, String> extensions = new TreeMap<>();
        if (which == 3) {
            extensions.put("flow.scheduled_time_millis", Integer.toString(draw.below(1000)));
            extensions.put("kept", "yes");
        }
        TreeMap<Long, Long> sequences = new TreeMap<>();
        sequences.put(-1L, 5L);
        sequences.put(7L, -1L);
        return new QueryContext("greptime", "jsdp_log", "UTC", extensions, 1, sequences, new TreeMap<>());
    }

    private static TreeMap<String, String> options(Draw draw) {
        TreeMap<String, String> options = new TreeMap<>();
        switch (draw.below(6)) {
            case 1, 2 -> options.put("defer_on_missing_source", "true");
            case 3 -> options.put("defer_on_missing_source", " TRUE ");
            case 4 -> options.put("flow_type", draw.once(2) ? "streaming" : "batching");
            default -> {}
        }
        if (draw.once(40)) {
            options.put("unknown", "1");
        }
        return options;
    }

    /** Takes one number after the other; when they run out, zeros. */
    private static final class Draw {
        private final List<Integer> numbers;
        private int taken;

        Draw(List<Integer> numbers) {
            this.numbers = numbers;
        }

        int below(int bound) {
            int number = taken < numbers.size() ? numbers.get(taken) : 0;
            taken++;
            return number % bound;
        }

        /** True once in so many times, and never for a zero. */
        boolean once(int times) {
            return below(times) == times - 1;
        }

        <T> T of(List<T> pool) {
            return pool.get(below(pool.size()));
        }

        /** One of the pool, once in so many times; else null. */
        Long rarely(int times, Long... pool) {
            return once(times) ? pool[below(pool.length)] : null;
        }
    }
}
