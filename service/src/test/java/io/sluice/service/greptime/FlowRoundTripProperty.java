package io.sluice.service.greptime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.flow.EvalSchedule;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.schemas.flow.Peer;
import io.sluice.schemas.flow.QueryContext;
import io.sluice.schemas.flow.TableName;
import io.sluice.state.flow.FlowTextKeys.Layout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Random flows out to a file and in again: the same records, in both layouts, and the same file after that. */
class FlowRoundTripProperty {
    private static final Path FOLDER = folder();

    private static Path folder() {
        try {
            return Files.createDirectories(Path.of("target", "round-trip"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Property(tries = 60)
    void whatGoesOutComesBackInTheSame(@ForAll("flows") List<FlowRecord> flows, @ForAll Layout layout)
            throws IOException, ExportRefusedException, BrokenFileException {
        try (GreptimeStores first = new GreptimeStores(FOLDER);
                GreptimeStores second = new GreptimeStores(FOLDER)) {
            first.put(flows);
            String file = first.export(layout);

            second.load(file.getBytes(StandardCharsets.UTF_8), false);

            assertThat(first.flows()).hasSameSizeAs(flows);
            assertThat(second.flows()).isEqualTo(first.flows());
            assertThat(second.export(layout)).isEqualTo(file);
            assertThat(second.findings())
                    .noneMatch(finding -> finding.level() == io.sluice.service.common.Finding.Level.ERROR);
        }
    }

    /** In two catalogs; no id and no name is used twice. */
    @Provide
    Arbitrary<List<FlowRecord>> flows() {
        return flow().list().ofMinSize(1).ofMaxSize(6).map(drawn -> {
            List<FlowRecord> flows = new ArrayList<>();
            for (FlowRecord flow : drawn) {
                if (flows.stream()
                        .noneMatch(other -> other.flowId() == flow.flowId()
                                || other.flowName().equals(flow.flowName()))) {
                    flows.add(flow);
                }
            }
            return flows;
        });
    }

    private static Arbitrary<FlowRecord> flow() {
        Arbitrary<Long> u32 = Arbitraries.longs().between(0, 4_294_967_295L);
        Arbitrary<Long> u64 = Arbitraries.longs();
        Arbitrary<String> text =
                Arbitraries.strings().ofMaxLength(12).filter(io.sluice.schemas.common.Texts::isUnicode);
        Arbitrary<String> name = text.filter(drawn ->
                !drawn.isEmpty() && drawn.indexOf('\n') < 0 && drawn.indexOf('\r') < 0 && drawn.indexOf(0) < 0);
        Arbitrary<TableName> table = Combinators.combine(text, text, text).as(TableName::new);
        Arbitrary<Map<Long, Peer>> routes = Arbitraries.maps(
                        u32, Combinators.combine(u64, text).as(Peer::new))
                .ofMaxSize(3);
        Arbitrary<Map<String, String>> texts = Arbitraries.maps(text, text).ofMaxSize(3);
        Arbitrary<Map<Long, Long>> numbers = Arbitraries.maps(u64, u64).ofMaxSize(3);
        Arbitrary<QueryContext> context = Combinators.combine(
                        text, text, texts, Arbitraries.integers().between(0, 255), numbers)
                .as((catalog, schema, extensions, channel, seqs) -> new QueryContext(
                        catalog, schema, "UTC", new TreeMap<>(extensions), channel, unsigned(seqs), unsigned(seqs)));
        Arbitrary<EvalSchedule> schedule = Combinators.combine(
                        u64, u64, Arbitraries.of(EvalSchedule.SKIP, EvalSchedule.BOUNDED_CATCH_UP), u32, u64)
                .as(EvalSchedule::new);
        Arbitrary<FlowRecord> active = Combinators.combine(
                        Arbitraries.of("a", "b"),
                        u32,
                        name,
                        u32.list().ofMaxSize(3),
                        table,
                        routes,
                        context.injectNull(0.3),
                        Combinators.combine(text, u64.injectNull(0.3), u64.injectNull(0.3), texts)
                                .as((sql, expire, interval, options) -> new Object[] {sql, expire, interval, options}))
                .as((catalog, id, flowName, sources, sink, peers, ctx, more) ->
                        record(catalog, id, flowName, sources, sink, peers, ctx, more));
        return Combinators.combine(active, schedule.injectNull(0.5), u64, u64)
                .as((flow, when, created, updated) -> withTimes(flow, when, created, updated));
    }

    @SuppressWarnings("unchecked") // as they were put in
    private static FlowRecord record(
            String catalog,
            long id,
            String flowName,
            List<Long> sources,
            TableName sink,
            Map<Long, Peer> peers,
            QueryContext context,
            Object[] more) {
        return new FlowRecord(
                catalog,
                id,
                flowName,
                1,
                "",
                sources,
                List.of(sink),
                List.of(),
                sink,
                new TreeMap<>(peers),
                context,
                (String) more[0],
                (Long) more[1],
                (Long) more[2],
                (String) more[0],
                new TreeMap<>((Map<String, String>) more[3]),
                peers.isEmpty() ? FlowStatus.PENDING_SOURCES : FlowStatus.ACTIVE,
                0,
                0,
                null);
    }

    private static FlowRecord withTimes(FlowRecord f, EvalSchedule schedule, long created, long updated) {
        return new FlowRecord(
                f.catalog(),
                f.flowId(),
                f.flowName(),
                1,
                "",
                f.sourceTableIds(),
                f.allSourceTableNames(),
                f.unresolvedSourceTableNames(),
                f.sinkTableName(),
                f.routes(),
                f.queryContext(),
                f.rawSql(),
                f.expireAfterSecs(),
                f.evalIntervalSecs(),
                f.comment(),
                f.options(),
                f.status(),
                created,
                updated,
                schedule);
    }

    private static TreeMap<Long, Long> unsigned(Map<Long, Long> map) {
        TreeMap<Long, Long> sorted = new TreeMap<>(Long::compareUnsigned);
        sorted.putAll(map);
        return sorted;
    }
}
