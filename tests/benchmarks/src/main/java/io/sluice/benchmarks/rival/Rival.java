package io.sluice.benchmarks.rival;

import io.sluice.benchmarks.process.ChildProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * Something that keeps the metadata of flows, in processes of its own.
 *
 * <p>Threading: started, prepared and closed by one thread; what is sent may be sent by it while answers come on others. A future fails
 * if what comes back is not what is right.
 */
public interface Rival extends AutoCloseable {
    /** Starts it empty, and returns when it answers. */
    void start() throws Exception;

    /** Creates a flow with all its rows, at once or not at all; refused if its name or its id is taken. */
    CompletableFuture<?> create(long number);

    /**
     * Makes both partitions of a flow run one flownode further on, at once or not at all.
     *
     * @param moves how often they have moved then
     */
    CompletableFuture<?> move(long number, long moves);

    /** Looks up what belongs to a flow that was created. */
    CompletableFuture<?> lookUp(LookUp what, long number);

    /** Makes regions with an empty manifest each. */
    void createRegions(int count) throws Exception;

    /** Adds a file to the manifest of a region: in a file that is brought down to the disk, and in the store. Actions go round the regions. */
    CompletableFuture<?> flush(long number);

    /**
     * Follows the partitions of all flownodes, until closed.
     *
     * @param seen is told the number of a flow once for each partition that a flownode gets
     */
    AutoCloseable follow(LongConsumer seen) throws Exception;

    /**
     * Loads flows, loses what it has, and gets it back. Nothing else was or is done with it.
     *
     * @param flows how many
     */
    Restored restore(long flows) throws Exception;

    /** Its processes that run now. */
    List<ChildProcess> processes();

    @Override
    void close();
}
