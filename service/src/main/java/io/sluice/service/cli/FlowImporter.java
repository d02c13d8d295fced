package io.sluice.service.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.service.cli.CommandSender.Attempt;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.common.DaemonThreads;
import io.sluice.service.json.FlowRecordJson;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Purpose: sends the commands of an import, many at a time, and counts what becomes of them.
 *
 * <p>Threading: used by one thread, works on threads of its own; {@link #finish} waits for all of them.
 *
 * <p>Invariants: a command whose outcome is not known is sent again under its id, so it is decided once; every flow is counted once.
 * A service that has answered before may be away for a while, and is waited for; when it stays away, or none was there from the
 * start, nothing further is sent, and likewise once the user wants to stop.
 */
final class FlowImporter implements AutoCloseable {
    private static final int IN_FLIGHT = 64;
    /** Older than whatever a flownode registers itself. */
    private static final long EPOCH = 0;

    private static final String REPLACE_NEEDED = "REPLACE_NEEDED";
    private static final String TOO_LARGE = "TOO_LARGE";
    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);

    /** What answers there may be no Sluice. */
    private static final Duration PATIENCE_AT_FIRST = Duration.ofSeconds(10);

    /** Longer than a service takes that starts again and reads its stores. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private final CommandSender sender;
    private final String url;
    private final boolean orReplace;
    private final Duration patience;
    private final BooleanSupplier stopped;
    private final LongConsumer progress;
    private final ExecutorService threads =
            Executors.newFixedThreadPool(IN_FLIGHT, DaemonThreads.numbered("sluice-import"));
    private final Semaphore room = new Semaphore(IN_FLIGHT);

    // Guarded by this.
    private final List<LeftOut> leftOut = new ArrayList<>();
    private Attempt unreachable;
    private boolean answered;
    private long done;
    private long notSent;
    private long created;
    private long unchanged;
    private long replaced;
    private long addressesRegistered;
    private long addressesKept;

    /**
     * @param patience how long a service that has answered before is waited for
     * @param stopped whether nothing further is wanted
     * @param progress sees how many commands have been answered
     */
    FlowImporter(
            ServiceClient client,
            boolean orReplace,
            Duration patience,
            BooleanSupplier stopped,
            LongConsumer progress) {
        this.sender = new CommandSender(client);
        this.url = client.url();
        this.orReplace = orReplace;
        this.patience = patience;
        this.stopped = stopped;
        this.progress = progress;
    }

    /**
     * What was not imported.
     *
     * @param what the flow or flownode, for people
     * @param reason stable: REPLACE_NEEDED, NAME_CONFLICT, TARGET_UNAVAILABLE, or the code of the outcome
     */
    record LeftOut(String what, String reason, String message) {}

    /**
     * What became of everything.
     *
     * @param notSent how many commands were not sent any more, after the service went away or the user wanted to stop
     * @param reachable whether the service was there to the end
     */
    record Result(
            long created,
            long unchanged,
            long replaced,
            long addressesRegistered,
            long addressesKept,
            List<LeftOut> leftOut,
            long notSent,
            boolean reachable) {}

    /** Begins to send a flow; waits while too many are on their way. */
    void flow(FlowRecord flow) {
        start(() -> {
            ObjectNode body = Json.MAPPER.createObjectNode();
            body.set("flow", flowBody(flow));
            if (orReplace) {
                body.put("or_replace", true);
            }
            Attempt attempt = send(
                    "POST",
                    ServiceClient.path("v1", "catalogs", flow.catalog(), "import"),
                    CommandScope.catalog(flow.catalog()),
                    body);
            countFlow(flow, attempt);
        });
    }

    /** Moves the ids of a catalog forward, at once. */
    void ids(String catalog, long nextFlowId) {
        if (!isGoingOn()) {
            return;
        }
        Attempt attempt = send(
                "PUT",
                ServiceClient.path("v1", "catalogs", catalog, "next-flow-id"),
                CommandScope.catalog(catalog),
                Json.MAPPER.createObjectNode().put("next_flow_id", nextFlowId));
        if (!attempt.isOk()) {
            leaveOut("the next flow id of " + catalog, attempt);
        }
    }

    /**
     * Begins to register an address, with the epoch 0: only a flownode without one takes it, and whatever it registers itself is
     * newer.
     *
     * @param flownodeId a u64
     */
    void address(long flownodeId, String addr) {
        start(() -> {
            String id = U64.text(flownodeId);
            Attempt attempt = send(
                    "PUT",
                    ServiceClient.path("v1", "flownodes", id, "address"),
                    CommandScope.flownode(id),
                    Json.MAPPER.createObjectNode().put("addr", addr).put("epoch", EPOCH));
            countAddress(id, attempt);
        });
    }

    /** Waits until everything is answered. */
    Result finish() {
        room.acquireUninterruptibly(IN_FLIGHT);
        room.release(IN_FLIGHT);
        synchronized (this) {
            return new Result(
                    created,
                    unchanged,
                    replaced,
                    addressesRegistered,
                    addressesKept,
                    Collections.unmodifiableList(leftOut),
                    notSent,
                    unreachable == null);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private void start(Runnable task) {
        room.acquireUninterruptibly();
        if (!isGoingOn()) {
            room.release();
            return;
        }
        threads.execute(() -> {
            try {
                task.run();
            } finally {
                room.release();
            }
        });
    }

    private static JsonNode flowBody(FlowRecord flow) {
        ObjectNode body = FlowRecordJson.write(flow);
        // Which command made it, and how often it was changed, is not known here.
        body.remove(List.of("revision", "command_id"));
        return body;
    }

    /** Whether the next command is to be sent; one that is not is counted. */
    private synchronized boolean isGoingOn() {
        if (unreachable == null && !stopped.getAsBoolean()) {
            return true;
        }
        notSent++;
        return false;
    }

    private Attempt send(String method, String path, CommandScope scope, ObjectNode body) {
        // Made once: however often it is sent, it is one command.
        CommandSender.requireCommandId(body);
        long since = System.nanoTime();
        while (true) {
            Attempt attempt = sender.send(method, path, scope, body, Map.of());
            if (!isWorthAnotherTry(attempt)) {
                return attempt;
            }
            boolean isPatient = System.nanoTime() - since < patience().toNanos();
            if (!isPatient || stopped.getAsBoolean() || hasGoneAway() || !pause()) {
                if (!isPatient && isAway(attempt)) {
                    goneAway(attempt);
                }
                return attempt;
            }
        }
    }

    private synchronized boolean isWorthAnotherTry(Attempt attempt) {
        answered |= attempt.reply() != null;
        if (attempt.failure() != null && attempt.failure().isCertainlyNotSent() && !answered) {
            goneAway(attempt);
            return false;
        }
        return attempt.reply() == null || attempt.isUnknown() || isAway(attempt);
    }

    private synchronized Duration patience() {
        return answered || patience.compareTo(PATIENCE_AT_FIRST) < 0 ? patience : PATIENCE_AT_FIRST;
    }

    private static boolean isAway(Attempt attempt) {
        return attempt.reply() == null || attempt.reply().status() == HttpURLConnection.HTTP_UNAVAILABLE;
    }

    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(BETWEEN_TRIES.toMillis());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private synchronized boolean hasGoneAway() {
        return unreachable != null;
    }

    private synchronized void goneAway(Attempt attempt) {
        if (unreachable == null) {
            unreachable = attempt;
        }
    }

    private synchronized void countFlow(FlowRecord flow, Attempt attempt) {
        progress.accept(++done);
        if (!attempt.isOk()) {
            leaveOut(OutcomeText.flow(flow.catalog(), flow.flowName()) + " (flow_id " + flow.flowId() + ")", attempt);
            return;
        }
        JsonNode outcome = attempt.reply().body();
        if (!outcome.path("applied").asBoolean(true)) {
            unchanged++;
        } else if (outcome.path("revision").asLong() == 1) {
            created++;
        } else {
            replaced++;
        }
    }

    private synchronized void countAddress(String flownodeId, Attempt attempt) {
        progress.accept(++done);
        if (attempt.isOk()) {
            boolean applied = attempt.reply().body().path("applied").asBoolean(true);
            addressesRegistered += applied ? 1 : 0;
            addressesKept += applied ? 0 : 1;
        } else if (attempt.reply() != null && attempt.reply().code().equals("REVISION_MISMATCH")) {
            if (attempt.reply().body().path("revision").asLong(-1) == EPOCH) {
                leftOut.add(new LeftOut(
                        "the address of flownode " + flownodeId,
                        REPLACE_NEEDED,
                        CommandFailure.codeAndMessage(attempt.reply())
                                + ". The one in place is of an earlier import. To change it: sluice flownode register "
                                + flownodeId + " ADDR --epoch 1"));
            } else {
                // It registered one itself, which is newer than that of a file.
                addressesKept++;
            }
        } else {
            leaveOut("the address of flownode " + flownodeId, attempt);
        }
    }

    private synchronized void leaveOut(String what, Attempt attempt) {
        String reason = reason(attempt);
        String why = attempt.complaint(url);
        leftOut.add(new LeftOut(
                what,
                reason,
                reason.equals(TOO_LARGE)
                        ? why
                                + ". To take it, start the service with larger http.max.body.bytes and command.max.bytes, and"
                                + " import again"
                        : why));
    }

    private static String reason(Attempt attempt) {
        if (isAway(attempt) || attempt.isUnknown()) {
            return "TARGET_UNAVAILABLE";
        }
        String code = attempt.reply().code();
        return switch (code) {
            case "FLOW_VALUE_MISMATCH", "FLOW_ID_TAKEN" -> REPLACE_NEEDED;
            case "FLOW_ALREADY_EXISTS" -> "NAME_CONFLICT";
            default -> code.isEmpty() ? "HTTP " + attempt.reply().status() : code;
        };
    }
}
