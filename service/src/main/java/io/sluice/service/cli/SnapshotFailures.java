package io.sluice.service.cli;

import io.sluice.service.cut.CutException;
import io.sluice.service.snapshot.SnapshotException;
import io.sluice.topology.common.TopicCreationException;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;

/** Purpose: how a command about snapshots ends when something is wrong. Stateless. */
final class SnapshotFailures {
    private SnapshotFailures() {}

    /** Runs the work; what is wrong with brokers, topics or file ends the command, with the exit code that it stands for. */
    static <T> T ending(Supplier<T> work) {
        try {
            return work.get();
        } catch (SnapshotException e) {
            throw failure(e.reason() == SnapshotException.Reason.UNREACHABLE, e);
        } catch (CutException e) {
            throw failure(e.reason() == CutException.Reason.UNREACHABLE, e);
        } catch (TopicCreationException e) {
            throw failure(e.reason() == TopicCreationException.Reason.UNREACHABLE, e);
        } catch (KafkaException e) {
            throw new CommandFailure(
                    ExitCodes.UNREACHABLE,
                    "the brokers do not do what was asked: " + e.getMessage()
                            + ". Check --bootstrap, --command-config and whether they run.",
                    e);
        }
    }

    private static CommandFailure failure(boolean unreachable, RuntimeException e) {
        return new CommandFailure(unreachable ? ExitCodes.UNREACHABLE : ExitCodes.FAILED, e.getMessage(), e);
    }
}
