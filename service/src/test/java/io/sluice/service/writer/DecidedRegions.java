package io.sluice.service.writer;

import io.sluice.schemas.common.CommandEnvelope;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.AlterRegion;
import io.sluice.schemas.region.CreateRegion;
import io.sluice.schemas.region.DropRegion;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.ManifestReport;
import io.sluice.schemas.region.ManifestReport.ManifestWriteFailed;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionRole;
import io.sluice.schemas.region.SetRegionRole;
import io.sluice.service.manifest.TestManifests;
import io.sluice.service.query.MemoryRows;
import io.sluice.service.query.NotReadyException;
import io.sluice.state.region.RegionFact;
import io.sluice.state.region.RegionStateStore;
import io.sluice.topology.region.RegionDecider;
import io.sluice.topology.region.RegionDecision;
import io.sluice.topology.region.RegionLimits;
import io.sluice.topology.region.RegionOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Regions that are really decided, with what stands between the decider and the writer: the topic of orders, the store, which may show
 * a decision later than the topic, and the topic of reports, which may lose one. One thread.
 */
final class DecidedRegions implements RegionStates, ReportSink {
    static final SingleObject SINGLE_OBJECT = new SingleObject(KnownSchemas.shipped());
    static final int PARTITIONS = 4;

    private static final RegionStateStore STORE = new RegionStateStore(SINGLE_OBJECT);
    private static final long NOW_NANOS = 1_790_000_000_000_000_000L;

    private final RegionDecider decider = new RegionDecider(RegionLimits.of(512 * 1024, 3));
    private final MemoryRows decided = new MemoryRows();
    private final MemoryRows shown = new MemoryRows();
    private final List<RegionFact> notShown = new ArrayList<>();
    private final List<ManifestWriteOrder> ordered = new ArrayList<>();
    private final List<ManifestReport> reports = new ArrayList<>();
    private final List<ManifestReport> held = new ArrayList<>();
    private final Map<String, RegionOutcome> outcomes = new HashMap<>();
    private final Set<Integer> unreadable = new HashSet<>();
    private final Map<Integer, Deciding> deciding = new HashMap<>();
    private Consumer<ManifestWriteOrder> topic = order -> {};
    private ReportFate fate = ReportFate.DECIDED;
    private boolean storeLags;
    private int looks;
    private long decision;
    private int files;

    /** What becomes of a report. */
    enum ReportFate {
        DECIDED,
        /** It waits for {@link #decideHeld}. */
        HELD,
        /** It was acknowledged, and nobody ever hears of it. */
        LOST,
        REFUSED
    }

    // What a test sets up.

    /** Who follows the topic of orders. */
    void followedBy(Consumer<ManifestWriteOrder> follower) {
        topic = follower;
    }

    void nobodyFollows() {
        topic = order -> {};
    }

    void reportsAre(ReportFate now) {
        fate = now;
    }

    /** The store shows nothing that is decided from now on, or all of it. */
    void storeLags(boolean now) {
        storeLags = now;
        show();
    }

    /** Whether a partition can be read. */
    void readable(int partition, boolean now) {
        if (now) {
            unreadable.remove(partition);
        } else {
            unreadable.add(partition);
        }
    }

    void deciding(int partition, Deciding now) {
        deciding.put(partition, now);
    }

    // Commands; each returns its id.

    String create(long regionId) {
        return decide(
                regionId,
                envelope ->
                        new CreateRegion(envelope, regionId, metadata(regionId, 0), null, null, 0, RegionRole.LEADER));
    }

    /** Adds a file that there was not before. */
    String flush(long regionId) {
        files++;
        return decide(
                regionId,
                envelope -> new FlushRegion(
                        envelope,
                        regionId,
                        List.of(TestManifests.file(files)),
                        List.of(),
                        null,
                        (long) files,
                        (long) files,
                        null));
    }

    String alter(long regionId, long schemaVersion) {
        return decide(
                regionId,
                envelope -> new AlterRegion(envelope, regionId, metadata(regionId, schemaVersion), null, null));
    }

    String drop(long regionId) {
        return decide(regionId, envelope -> new DropRegion(envelope, regionId));
    }

    void role(long regionId, RegionRole role) {
        decide(regionId, envelope -> new SetRegionRole(envelope, regionId, role));
    }

    /** As a writer says that is not the one that is tested. */
    void failsElsewhere(ManifestWriteOrder order) {
        decide(new ManifestWriteFailed(order.regionId(), order.commandId(), order.version(), "elsewhere"));
    }

    void decideHeld() {
        List<ManifestReport> now = List.copyOf(held);
        held.clear();
        now.forEach(this::decide);
    }

    private interface Body {
        RegionCommand in(CommandEnvelope envelope);
    }

    private String decide(long regionId, Body body) {
        decision++;
        String commandId = "c" + decision;
        CommandEnvelope envelope = new CommandEnvelope(U64.text(regionId), commandId, NOW_NANOS);
        take(decider.decide(STORE.view(decided), body.in(envelope), decision, decision));
        return commandId;
    }

    private void decide(ManifestReport report) {
        decision++;
        take(decider.decide(STORE.view(decided), report, decision));
    }

    private void take(RegionDecision made) {
        made.facts().forEach(fact -> STORE.apply(fact, decided));
        notShown.addAll(made.facts());
        made.outcomes().forEach(outcome -> outcomes.put(outcome.commandId(), outcome));
        show();
        if (made.order() != null) {
            ordered.add(made.order());
            topic.accept(made.order());
        }
    }

    private void show() {
        if (!storeLags) {
            notShown.forEach(fact -> STORE.apply(fact, shown));
            notShown.clear();
        }
    }

    private static RegionMetadata metadata(long regionId, long schemaVersion) {
        RegionMetadata one = TestManifests.metadata(schemaVersion);
        return new RegionMetadata(
                one.columns(),
                one.primaryKey(),
                regionId,
                schemaVersion,
                one.primaryKeyEncoding(),
                one.partitionExpr());
    }

    // What a test looks at.

    RegionRecord region(long regionId) {
        return STORE.regions().find(decided, regionId);
    }

    RegionManifest manifest(long regionId) {
        return STORE.manifest(decided, regionId);
    }

    /** Null while there is none. */
    RegionOutcome outcome(String commandId) {
        return outcomes.get(commandId);
    }

    OutcomeCode code(String commandId) {
        return outcomes.containsKey(commandId) ? outcomes.get(commandId).code() : null;
    }

    /** All reports, lost ones too. */
    List<ManifestReport> reports() {
        return reports;
    }

    ManifestWriteOrder lastOrder() {
        return ordered.get(ordered.size() - 1);
    }

    /** How often the store was asked about a region. */
    int looks() {
        return looks;
    }

    // For the writer.

    @Override
    public int partitionCount() {
        return PARTITIONS;
    }

    @Override
    public int partitionOf(long regionId) {
        return Partitions.of(U64.text(regionId), PARTITIONS);
    }

    @Override
    public Deciding deciding(int partition) {
        return deciding.getOrDefault(partition, Deciding.YES);
    }

    @Override
    public List<ManifestWriteOrder> openOrders(int partition) {
        requireReadable(partition);
        return STORE.orders().all(shown).stream()
                .filter(order -> partitionOf(order.regionId()) == partition)
                .toList();
    }

    @Override
    public RegionSituation look(long regionId) {
        return look(regionId, false);
    }

    @Override
    public RegionSituation lookWithManifest(long regionId) {
        return look(regionId, true);
    }

    private RegionSituation look(long regionId, boolean withManifest) {
        requireReadable(partitionOf(regionId));
        looks++;
        return StoredRegions.situation(STORE, shown, regionId, withManifest);
    }

    private void requireReadable(int partition) {
        if (unreadable.contains(partition)) {
            throw new NotReadyException("partition region:" + partition + " cannot be read now", null, null);
        }
    }

    @Override
    public void send(ManifestReport report, Consumer<Exception> onFailure) {
        reports.add(report);
        switch (fate) {
            case DECIDED -> decide(report);
            case HELD -> held.add(report);
            case REFUSED -> onFailure.accept(new IllegalStateException("no broker"));
            case LOST -> {}
        }
    }
}
