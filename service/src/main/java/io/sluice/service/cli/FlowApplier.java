package io.sluice.service.cli;

import io.sluice.service.cli.CommandSender.Attempt;
import io.sluice.service.cli.FlowApplyCommand.Body;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.common.DaemonThreads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Purpose: sends CreateFlow commands, those of one catalog one after the other in their order, several catalogs at a time.
 *
 * <p>Threading: used by one thread, works on threads of its own.
 *
 * <p>Invariants: every command that was given gets its attempt, in whatever way it ends. Once nobody listens at the service's
 * address no further command is sent: what follows fails with the same reason.
 */
final class FlowApplier implements AutoCloseable {
    private static final int CATALOGS_AT_A_TIME = 8;

    private final CommandSender sender;
    private final ExecutorService threads =
            Executors.newFixedThreadPool(CATALOGS_AT_A_TIME, DaemonThreads.named("sluice-apply"));
    private final AtomicReference<Attempt> unreachable = new AtomicReference<>();

    FlowApplier(ServiceClient client) {
        this.sender = new CommandSender(client);
    }

    private record Task(Body body, CompletableFuture<Attempt> attempt) {}

    /** Begins to send; the futures are in the order of the bodies. */
    List<CompletableFuture<Attempt>> send(List<Body> bodies) {
        Map<String, List<Task>> byCatalog = new LinkedHashMap<>();
        List<CompletableFuture<Attempt>> attempts = new ArrayList<>();
        for (Body body : bodies) {
            Task task = new Task(body, new CompletableFuture<>());
            byCatalog
                    .computeIfAbsent(body.catalog(), catalog -> new ArrayList<>())
                    .add(task);
            attempts.add(task.attempt());
        }
        byCatalog.values().forEach(tasks -> threads.execute(() -> tasks.forEach(this::send)));
        return attempts;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private void send(Task task) {
        try {
            task.attempt().complete(send(task.body()));
        } catch (RuntimeException e) {
            task.attempt().completeExceptionally(e);
        }
    }

    private Attempt send(Body body) {
        Attempt failed = unreachable.get();
        if (failed != null) {
            String commandId = CommandSender.requireCommandId(body.json());
            return new Attempt(commandId, CommandScope.catalog(body.catalog()), null, failed.failure());
        }
        Attempt attempt = sender.send(
                "POST",
                ServiceClient.path("v1", "catalogs", body.catalog(), "flows"),
                CommandScope.catalog(body.catalog()),
                body.json(),
                Map.of());
        if (attempt.failure() != null && attempt.failure().isCertainlyNotSent()) {
            unreachable.compareAndSet(null, attempt);
        }
        return attempt;
    }
}
