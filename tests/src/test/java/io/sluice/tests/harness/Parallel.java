package io.sluice.tests.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs a piece of work on several threads that begin together. Stateless. */
public final class Parallel {
    /** Work of one thread. */
    @FunctionalInterface
    public interface Work<T> {
        T run(int thread) throws Exception;
    }

    private Parallel() {}

    /** The results in thread order; the first failure is thrown. */
    public static <T> List<T> run(int threads, Work<T> work) {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CountDownLatch begin = new CountDownLatch(1);
            List<Future<T>> running = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int number = thread;
                running.add(executor.submit(() -> {
                    begin.await();
                    return work.run(number);
                }));
            }
            begin.countDown();
            List<T> results = new ArrayList<>();
            for (Future<T> one : running) {
                results.add(one.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new AssertionError("thread failed: " + e.getCause(), e.getCause());
        } finally {
            executor.shutdownNow();
        }
    }
}
