package io.sluice.tests.harness;

import io.sluice.client.CommandNotSentException;
import io.sluice.client.OutcomeUnknownException;
import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.Command;
import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.Outcome;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Keeps a number of commands in flight, and sends each again with the same id until its outcome is known.
 *
 * <p>Threading: one thread of its own, which is the only one to ask for commands; all methods may be called by any thread.
 */
public final class SteadyLoad<C extends Command> implements AutoCloseable {
    private static final long LOOK_EVERY_MS = 50;

    private final SluiceClient client;
    private final Function<SteadyLoad<C>, ? extends C> commands;
    private final int maxInFlight;
    private final Semaphore free;
    private final Map<CommandKey, C> sent = new ConcurrentHashMap<>();
    private final Map<CommandKey, Outcome> outcomes = new ConcurrentHashMap<>();
    private final LinkedBlockingQueue<C> again = new LinkedBlockingQueue<>();
    private final AtomicInteger unknown = new AtomicInteger();
    private final AtomicReference<Awaited> awaited = new AtomicReference<>(new Awaited(1, new CompletableFuture<>()));
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> settled = new CompletableFuture<>();
    private final Thread thread = new Thread(this::run, "steady-load");
    private volatile boolean ending;
    private volatile boolean closed;

    private record Awaited(int outcomes, CompletableFuture<Long> reached) {}

    /**
     * @param client with an outcome timeout that is short beside the time that an instance is away
     * @param commands makes the next command, with an id of its own
     */
    public SteadyLoad(SluiceClient client, int maxInFlight, Function<SteadyLoad<C>, ? extends C> commands) {
        this.client = client;
        this.commands = commands;
        this.maxInFlight = maxInFlight;
        this.free = new Semaphore(maxInFlight);
        thread.setDaemon(true);
        thread.start();
    }

    /** Commands whose outcome is awaited now. */
    public int inFlight() {
        return maxInFlight - free.availablePermits();
    }

    /** How often an outcome was unknown and its command was sent again. */
    public int retried() {
        return unknown.get();
    }

    /** Ends when so many more commands have their outcome, with {@link System#nanoTime()}; takes the place of the call before. */
    public CompletableFuture<Long> moreOutcomes(int count) {
        CompletableFuture<Long> reached = new CompletableFuture<>();
        awaited.set(new Awaited(outcomes.size() + count, reached));
        if (thread.getState() == Thread.State.TERMINATED) {
            reached.completeExceptionally(new IllegalStateException("the load has ended: " + failures));
        }
        return reached;
    }

    /** Stops making commands; the future ends when every command has its outcome. */
    public CompletableFuture<Void> end() {
        ending = true;
        return settled;
    }

    /** The commands that were sent, by key. */
    public Map<CommandKey, C> sent() {
        return new LinkedHashMap<>(sent);
    }

    /** The outcomes that are known, by the key of their command. */
    public Map<CommandKey, Outcome> outcomes() {
        return new LinkedHashMap<>(outcomes);
    }

    /** The outcome of a command; null while it is not known. */
    public Outcome outcome(CommandKey key) {
        return outcomes.get(key);
    }

    /** Whether a command has its outcome. */
    public boolean isSettled(CommandKey key) {
        return outcomes.containsKey(key);
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }

    private void run() {
        try {
            while (!closed && failures.isEmpty() && !(ending && outcomes.size() == sent.size())) {
                C command = ending ? again.poll(LOOK_EVERY_MS, TimeUnit.MILLISECONDS) : again.poll();
                if (command == null && !ending) {
                    command = commands.apply(this);
                }
                if (command != null) {
                    free.acquire();
                    send(command);
                }
            }
        } catch (InterruptedException | RuntimeException e) {
            failures.add(e);
        }
        if (failures.isEmpty()) {
            settled.complete(null);
        } else {
            settled.completeExceptionally(failures.peek());
            awaited.get().reached().completeExceptionally(failures.peek());
        }
    }

    private void send(C command) {
        CommandKey key = command.key();
        sent.putIfAbsent(key, command);
        client.send(command).whenComplete((outcome, failure) -> {
            free.release();
            Throwable cause = failure != null && failure.getCause() != null ? failure.getCause() : failure;
            if (failure == null) {
                outcomes.put(key, outcome);
                Awaited now = awaited.get();
                if (outcomes.size() >= now.outcomes()) {
                    now.reached().complete(System.nanoTime());
                }
            } else if (isUnknown(failure) || isUnknown(cause)) {
                unknown.incrementAndGet();
                again.add(command);
            } else {
                failures.add(failure);
            }
        });
    }

    private static boolean isUnknown(Throwable failure) {
        return failure instanceof OutcomeUnknownException || failure instanceof CommandNotSentException;
    }
}
