package io.sluice.client;

import static io.sluice.client.TestRoutes.FLOWNODE;
import static io.sluice.client.TestRoutes.broken;
import static io.sluice.client.TestRoutes.key;
import static io.sluice.client.TestRoutes.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.RouteEvent.Assigned;
import io.sluice.client.RouteEvent.Revoked;
import io.sluice.client.RouteEvent.Updated;
import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.FlownodeRouteKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which records are told as which events: live, in a sweep, and after a checkpoint. */
class HeldRoutesTest {
    private static final FlownodeRouteKey A = key("plant", 1024, 0);
    private static final FlownodeRouteKey B = key("plant", 1024, 1);
    private static final FlownodeRouteKey C = key("plant", 1025, 0);

    private final HeldRoutes held = new HeldRoutes(Map.of());
    private long offset;

    // ---- live

    @Test
    void aRecordIsAssignedThenUpdatedThenRevoked() {
        assertThat(tell(current(A, 1, "c1"))).containsExactly(new Assigned(A, route(A, 1, "c1")));
        assertThat(tell(current(A, 2, "c2"))).containsExactly(new Updated(A, route(A, 2, "c2")));
        assertThat(tell(gone(A))).containsExactly(new Revoked(A, new HeldRoute("f1024", 2, "c2")));
        assertThat(held.routes()).isEmpty();
    }

    @Test
    void theSameVersionAgainIsNoEvent() {
        tell(current(A, 1, "c1"));

        assertThat(tell(current(A, 1, "c1"))).isEmpty();
    }

    @Test
    void aTombstoneOfWhatIsNotHeldIsNoEvent() {
        assertThat(tell(gone(A))).isEmpty();
    }

    @Test
    void aFlowThatWasCreatedAgainStartsAtOneAndIsAnUpdateNevertheless() {
        tell(current(A, 7, "c7"));

        assertThat(tell(current(A, 1, "d1"))).containsExactly(new Updated(A, route(A, 1, "d1")));
        assertThat(tell(current(A, 1, "e1"))).containsExactly(new Updated(A, route(A, 1, "e1")));
    }

    @Test
    void aRecordThatCannotBeReadIsReportedAndChangesNothing() {
        tell(current(A, 1, "c1"));

        RouteRecord.Broken overKnown = broken(offset++, A);
        assertThat(tell(overKnown)).containsExactly(overKnown.report());
        assertThat(held.routes()).containsOnlyKeys(A);

        RouteRecord.Broken unknown = broken(offset++, B);
        assertThat(tell(unknown)).containsExactly(unknown.report());
        assertThat(held.routes()).containsOnlyKeys(A);

        assertThat(tell(current(B, 1, "c2"))).containsExactly(new Assigned(B, route(B, 1, "c2")));
        assertThat(tell(current(A, 2, "c2"))).containsExactly(new Updated(A, route(A, 2, "c2")));
        tell(broken(offset++, A));
        assertThat(tell(gone(A))).containsExactly(new Revoked(A, new HeldRoute("f1024", 2, "c2")));
    }

    // ---- sweeps

    @Test
    void aSweepTellsWhatIsHeldNowAndNothingOfWhatCameAndWent() {
        List<RouteEvent> events =
                sweep(current(A, 1, "c1"), current(B, 1, "c1"), gone(B), current(C, 1, "c2"), current(A, 2, "c3"));

        assertThat(events)
                .as("in the order of their records")
                .containsExactly(new Assigned(C, route(C, 1, "c2")), new Assigned(A, route(A, 2, "c3")));
    }

    @Test
    void aSecondSweepTellsTheDifferenceRevokedFirstInTheOrderOfNumbers() {
        FlownodeRouteKey nine = key("plant", 9, 0);
        FlownodeRouteKey ten = key("plant", 10, 0);
        FlownodeRouteKey tenTwo = key("plant", 10, 2);
        FlownodeRouteKey tenEleven = key("plant", 10, 11);
        sweep(
                current(ten, 1, "c1"),
                current(tenEleven, 1, "c1"),
                current(nine, 1, "c1"),
                current(tenTwo, 1, "c1"),
                current(A, 1, "c1"),
                current(B, 1, "c1"));

        List<RouteEvent> events = sweep(current(C, 1, "c5"), current(A, 1, "c1"), current(B, 2, "c4"), gone(nine));

        HeldRoute first = new HeldRoute("f10", 1, "c1");
        assertThat(events)
                .containsExactly(
                        new Revoked(nine, new HeldRoute("f9", 1, "c1")),
                        new Revoked(ten, first),
                        new Revoked(tenTwo, first),
                        new Revoked(tenEleven, first),
                        new Assigned(C, route(C, 1, "c5")),
                        new Updated(B, route(B, 2, "c4")));
        assertThat(held.routes()).containsOnlyKeys(A, B, C);
    }

    @Test
    void aSweepThatIsVoidLeavesNoTrace() {
        held.sweepBegins();
        held.read(current(A, 1, "c1"));
        held.read(broken(offset++, B));

        assertThat(sweep(current(C, 1, "c1"))).containsExactly(new Assigned(C, route(C, 1, "c1")));
    }

    @Test
    void whatCannotBeReadCountsAsMetAndIsNotTakenForAnAssignment() {
        sweep(current(A, 1, "c1"));
        RouteRecord.Broken ofHeld = broken(offset++, A);
        RouteRecord.Broken ofUnknown = broken(offset++, B);

        assertThat(sweep(ofHeld, ofUnknown)).containsExactly(ofHeld.report(), ofUnknown.report());
        assertThat(held.routes()).containsOnlyKeys(A);
    }

    @Test
    void whatTheRecordsBeforeAnUnreadableOneSayCounts() {
        sweep(current(A, 1, "c1"), current(B, 1, "c1"));
        RouteRecord.Broken a = broken(100, A);
        RouteRecord.Broken b = broken(101, B);
        RouteRecord.Broken c = broken(102, C);

        List<RouteEvent> events = sweep(current(A, 2, "c2"), gone(B), current(C, 1, "c3"), a, b, c);

        assertThat(events)
                .containsExactly(
                        new Revoked(B, new HeldRoute("f1024", 1, "c1")),
                        new Updated(A, route(A, 2, "c2")),
                        new Assigned(C, route(C, 1, "c3")),
                        a.report(),
                        b.report(),
                        c.report());
    }

    @Test
    void anUnreadableRecordThatWasSupersededIsNotReported() {
        assertThat(sweep(broken(offset++, A), current(A, 1, "c1"), broken(offset++, B), gone(B)))
                .containsExactly(new Assigned(A, route(A, 1, "c1")));
    }

    @Test
    void everyRecordWithAnUnreadableKeyIsReported() {
        RouteRecord.Broken one = broken(offset++, null);
        RouteRecord.Broken two = broken(offset++, null);

        assertThat(sweep(one, two)).containsExactly(one.report(), two.report());
    }

    // ---- what is held

    @Test
    void whatWasNotDeliveredIsNotHeld() {
        held.sweepBegins();
        held.read(current(A, 1, "c1"));
        held.read(current(B, 1, "c1"));
        List<RouteEvent> events = held.sweepCompleted();

        held.delivered(events.get(0));

        assertThat(held.versions()).containsOnlyKeys(A);
        assertThat(held.routes()).containsOnlyKeys(A);
    }

    @Test
    void afterACheckpointOnlyTheDifferenceIsTold() {
        HeldRoutes resumed = new HeldRoutes(Map.of(
                A, new HeldRoute("f1024", 1, "c1"),
                B, new HeldRoute("f1024", 1, "c1"),
                C, new HeldRoute("old name", 5, "c0")));
        assertThat(resumed.routes()).isEmpty();

        resumed.sweepBegins();
        resumed.read(current(A, 1, "c1"));
        resumed.read(current(B, 2, "c2"));
        List<RouteEvent> events = resumed.sweepCompleted();

        assertThat(events)
                .containsExactly(new Revoked(C, new HeldRoute("old name", 5, "c0")), new Updated(B, route(B, 2, "c2")));
        events.forEach(resumed::delivered);
        assertThat(resumed.routes()).containsOnlyKeys(A, B);
    }

    @Test
    void whatACheckpointTellsOfAndCannotBeReadStaysWithoutARoute() {
        HeldRoutes resumed = new HeldRoutes(Map.of(A, new HeldRoute("f1024", 1, "c1")));
        resumed.sweepBegins();
        resumed.read(broken(0, A));

        assertThat(resumed.sweepCompleted()).singleElement().isInstanceOf(RouteEvent.Unreadable.class);
        assertThat(resumed.versions()).containsOnlyKeys(A);
        assertThat(resumed.routes()).isEmpty();
        assertThat(resumed.read(gone(A))).containsExactly(new Revoked(A, new HeldRoute("f1024", 1, "c1")));
    }

    // ---- random logs

    /** Whoever follows live, sweeps now and then, or comes late runs the same in the end, however the log is compacted. */
    @Test
    void allWaysThroughARandomLogEndAtTheSameSet() {
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            List<RouteRecord> log = randomLog(random);
            Map<FlownodeRouteKey, HeldRoute> expected = model(log);

            Flownode live = new Flownode(Map.of());
            live.sweep(List.of());
            log.forEach(live::follow);
            assertThat(live.runs).as("live, seed %d", seed).isEqualTo(expected);

            Flownode late = new Flownode(Map.of());
            late.sweep(log);
            assertThat(late.runs).as("late, seed %d", seed).isEqualTo(expected);
            assertThat(late.events)
                    .as("late, seed %d", seed)
                    .allMatch(event -> !(event instanceof Revoked) && !(event instanceof Updated));

            int split = random.nextInt(log.size() + 1);
            Flownode away = new Flownode(Map.of());
            away.sweep(log.subList(0, split));
            away.sweep(log);
            assertThat(away.runs).as("away from %d, seed %d", split, seed).isEqualTo(expected);

            Flownode resumed = new Flownode(model(log.subList(0, split)));
            resumed.sweep(compacted(log, random));
            assertThat(resumed.runs).as("resumed at %d, seed %d", split, seed).isEqualTo(expected);

            int events = away.events.size();
            away.sweep(compacted(log, random));
            assertThat(away.events.subList(events, away.events.size()))
                    .as("nothing new, seed %d", seed)
                    .allMatch(RouteEvent.Unreadable.class::isInstance);
            assertThat(away.held.versions()).as("seed %d", seed).isEqualTo(expected);
        }
    }

    /** Does what it is told, and fails the test when it is told nonsense. */
    private static final class Flownode {
        private final HeldRoutes held;
        private final Map<FlownodeRouteKey, HeldRoute> runs = new HashMap<>();
        private final List<RouteEvent> events = new ArrayList<>();

        Flownode(Map<FlownodeRouteKey, HeldRoute> known) {
            held = new HeldRoutes(known);
            runs.putAll(known);
        }

        void follow(RouteRecord record) {
            obey(held.read(record));
        }

        void sweep(List<RouteRecord> log) {
            held.sweepBegins();
            log.forEach(record -> assertThat(held.read(record)).isEmpty());
            obey(held.sweepCompleted());
        }

        private void obey(List<RouteEvent> told) {
            for (RouteEvent event : told) {
                if (event instanceof Assigned assigned) {
                    assertThat(runs.put(assigned.key(), HeldRoute.of(assigned.route())))
                            .isNull();
                } else if (event instanceof Updated updated) {
                    HeldRoute now = HeldRoute.of(updated.route());
                    assertThat(runs.put(updated.key(), now)).isNotNull().isNotEqualTo(now);
                } else if (event instanceof Revoked revoked) {
                    assertThat(runs.remove(revoked.key())).isEqualTo(revoked.last());
                }
                held.delivered(event);
                events.add(event);
            }
        }
    }

    private static List<RouteRecord> randomLog(Random random) {
        List<RouteRecord> log = new ArrayList<>();
        int length = random.nextInt(30);
        for (long at = 0; at < length; at++) {
            FlownodeRouteKey key = key("plant", 1024 + random.nextInt(3), random.nextInt(2));
            int kind = random.nextInt(10);
            if (kind < 6) {
                log.add(new RouteRecord.Current(at, key, route(key, 1 + random.nextInt(2), "c" + at)));
            } else if (kind < 9) {
                log.add(new RouteRecord.Gone(at, key));
            } else {
                log.add(broken(at, random.nextInt(4) == 0 ? null : key));
            }
        }
        return log;
    }

    /** The last readable record of each key, said in the simplest way. */
    private static Map<FlownodeRouteKey, HeldRoute> model(List<RouteRecord> log) {
        Map<FlownodeRouteKey, HeldRoute> runs = new HashMap<>();
        for (RouteRecord record : log) {
            if (record instanceof RouteRecord.Current current) {
                runs.put(current.key(), HeldRoute.of(current.route()));
            } else if (record instanceof RouteRecord.Gone gone) {
                runs.remove(gone.key());
            }
        }
        return runs;
    }

    /** Without some of what is superseded by a readable record, and some of the tombstones that are last. */
    private static List<RouteRecord> compacted(List<RouteRecord> log, Random random) {
        Map<FlownodeRouteKey, Long> lastReadable = new TreeMap<>(HeldRoutes.KEY_ORDER);
        Map<FlownodeRouteKey, Long> last = new LinkedHashMap<>();
        for (RouteRecord record : log) {
            FlownodeRouteKey key = keyOf(record);
            if (key != null) {
                last.put(key, record.offset());
                if (!(record instanceof RouteRecord.Broken)) {
                    lastReadable.put(key, record.offset());
                }
            }
        }
        List<RouteRecord> left = new ArrayList<>();
        // A cleaner goes from the old to the new, and takes a tombstone only after all that it deletes.
        Map<FlownodeRouteKey, Boolean> kept = new HashMap<>();
        for (RouteRecord record : log) {
            FlownodeRouteKey key = keyOf(record);
            boolean superseded = key != null && lastReadable.getOrDefault(key, -1L) > record.offset();
            boolean forgotten = record instanceof RouteRecord.Gone
                    && last.get(key) == record.offset()
                    && !kept.getOrDefault(key, false);
            if ((superseded || forgotten) && random.nextBoolean() && !kept.getOrDefault(key, false)) {
                continue;
            }
            if (key != null) {
                kept.put(key, true);
            }
            left.add(record);
        }
        return left;
    }

    private static FlownodeRouteKey keyOf(RouteRecord record) {
        if (record instanceof RouteRecord.Current current) {
            return current.key();
        }
        return record instanceof RouteRecord.Gone gone ? gone.key() : ((RouteRecord.Broken) record).key();
    }

    // ---- helpers

    private List<RouteEvent> tell(RouteRecord record) {
        List<RouteEvent> events = held.read(record);
        events.forEach(held::delivered);
        return events;
    }

    private List<RouteEvent> sweep(RouteRecord... records) {
        held.sweepBegins();
        for (RouteRecord record : records) {
            assertThat(held.read(record)).isEmpty();
        }
        List<RouteEvent> events = held.sweepCompleted();
        events.forEach(held::delivered);
        return events;
    }

    private RouteRecord current(FlownodeRouteKey key, long revision, String commandId) {
        FlownodeRoute route = route(key, revision, commandId);
        assertThat(key.flownodeId()).isEqualTo(FLOWNODE);
        return new RouteRecord.Current(offset++, key, route);
    }

    private RouteRecord gone(FlownodeRouteKey key) {
        return new RouteRecord.Gone(offset++, key);
    }
}
