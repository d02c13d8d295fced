package io.sluice.tests.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An {@link InstanceMain} that runs, until it is killed or stopped. Used by one thread. */
public final class InstanceProcess implements AutoCloseable {
    private final RunningJvm jvm;
    private final CompletableFuture<String> ready;

    private InstanceProcess(RunningJvm jvm) {
        this.jvm = jvm;
        this.ready = jvm.says(InstanceMain.READY::equals);
    }

    /** Returns when its main method runs: nothing is decided yet. */
    public static InstanceProcess start(String bootstrapServers, Path stateDirectory) {
        RunningJvm jvm =
                RunningJvm.start(InstanceMain.class, List.of(), List.of(bootstrapServers, stateDirectory.toString()));
        LocalSluice.within(jvm.says(InstanceMain.BEGINS::equals));
        return new InstanceProcess(jvm);
    }

    /** Waits until every partition can be read in it. */
    public void awaitReady() {
        LocalSluice.within(ready);
    }

    /** Ends it as a failing machine would, with nothing said or written any more. Fails if it had ended by itself. */
    public void kill() throws InterruptedException {
        jvm.kill();
    }

    /** Stops it properly. */
    public void stop() throws IOException, InterruptedException {
        jvm.endInput();
        int status = jvm.awaitEnd();
        if (status != 0) {
            throw new AssertionError("stopped with status " + status + ": " + said());
        }
    }

    /** What it said so far, its log included. */
    public List<String> said() {
        return jvm.said();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
