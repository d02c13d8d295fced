package io.sluice.service.common;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs tasks side by side that share something which must not be closed under any of them. Stateless. */
public final class ParallelTasks {
    private ParallelTasks() {}

    /**
     * Runs all tasks, and returns when none of them is running any more, whatever happened. After a failure, those that have not
     * begun are left out, and those that run are interrupted.
     *
     * @param name of the threads
     * @return their results, in the order of the tasks
     * @throws RuntimeException that a task ended with, the first one of several
     */
    public static <T> List<T> run(String name, int threads, List<? extends Callable<T>> tasks)
            throws InterruptedException {
        ExecutorService workers = Executors.newFixedThreadPool(threads, DaemonThreads.numbered(name));
        try {
            CompletionService<T> ended = new ExecutorCompletionService<>(workers);
            List<Future<T>> running = new ArrayList<>();
            tasks.forEach(task -> running.add(ended.submit(task)));
            // As they end: a failure must not wait for those before it.
            for (int i = 0; i < running.size(); i++) {
                ended.take().get();
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : running) {
                results.add(one.get());
            }
            return results;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw new IllegalStateException("a task of " + name + " failed in a way that is not known", e.getCause());
        } finally {
            workers.shutdownNow();
            awaitEnd(workers);
        }
    }

    private static void awaitEnd(ExecutorService workers) {
        boolean interrupted = false;
        boolean ended = false;
        while (!ended) {
            try {
                ended = workers.awaitTermination(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
