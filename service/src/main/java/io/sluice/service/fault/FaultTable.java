package io.sluice.service.fault;

import io.sluice.client.CommandNotSentException;
import io.sluice.client.OutcomeUnknownException;
import io.sluice.service.json.JsonRefusedException;
import io.sluice.service.query.NotReadyException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.LockException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.errors.TaskMigratedException;

/**
 * The one table from a throwable to whoever has to do something about it. Requests and stream threads both go by it.
 *
 * <p>Stateless. A row fits when the throwable or one of its causes is of its type; the first row that fits counts, so what
 * cannot heal stands above what can. What no row fits is a bug.
 */
public final class FaultTable {
    /**
     * A row of the table.
     *
     * @param remedy what to do about it, a sentence without a full stop
     */
    public record Row(Class<? extends Throwable> type, Fault fault, String remedy) {}

    private static final Row BUG = new Row(Throwable.class, Fault.OURS, "please report it with the log");

    private static final List<Row> ROWS = List.of(
            new Row(
                    FencedInstanceIdException.class,
                    Fault.RESTART,
                    "another process runs with the same instance.id: stop it, or give one of them another id"),
            new Row(
                    MissingSourceTopicException.class,
                    Fault.RESTART,
                    "a topic of Sluice is gone: `sluice topics verify` says which and what to do, then start again"),
            new Row(
                    AuthenticationException.class,
                    Fault.RESTART,
                    "the brokers do not know this service: check the settings that begin with kafka., then start again"),
            new Row(
                    AuthorizationException.class,
                    Fault.RESTART,
                    "the service's principal lacks a right on the brokers: grant it, then start again"),
            new Row(
                    UnsupportedVersionException.class,
                    Fault.RESTART,
                    "the brokers are too old, they must be 4.0 or later: upgrade them, then start again"),
            new Row(
                    ProcessorStateException.class,
                    Fault.RESTART,
                    "state.dir cannot be read or written: check the disk, its space and the rights, then start again;"
                            + " the directory may be deleted, it is restored from the topics"),
            new Row(OutOfMemoryError.class, Fault.RESTART, "give the process more memory, then start again"),
            new Row(
                    LinkageError.class,
                    Fault.RESTART,
                    "the installation is damaged: install it anew, then start again"),
            new Row(JsonRefusedException.class, Fault.CALLER, "correct the request"),
            new Row(RecordTooLargeException.class, Fault.CALLER, "send a smaller command"),
            new Row(NotReadyException.class, Fault.TEMPORARY, "try again"),
            new Row(CommandNotSentException.class, Fault.TEMPORARY, "send it again"),
            new Row(
                    OutcomeUnknownException.class,
                    Fault.TEMPORARY,
                    "ask for the outcome, or send it again with its id"),
            new Row(RejectedExecutionException.class, Fault.TEMPORARY, "try again"),
            new Row(RetriableException.class, Fault.TEMPORARY, "it is tried again"),
            new Row(ProducerFencedException.class, Fault.TEMPORARY, "it is tried again"),
            new Row(TaskMigratedException.class, Fault.TEMPORARY, "it is tried again"),
            new Row(TaskCorruptedException.class, Fault.TEMPORARY, "it is tried again"),
            new Row(LockException.class, Fault.TEMPORARY, "it is tried again"),
            new Row(InvalidStateStoreException.class, Fault.TEMPORARY, "it is tried again"));

    private FaultTable() {}

    /** Every row, in the order in which they are tried. */
    public static List<Row> rows() {
        return ROWS;
    }

    /** The row of a throwable; one for bugs, when none fits. */
    public static Row of(Throwable failure) {
        return ROWS.stream()
                .filter(row -> isOrIsCausedBy(failure, row.type()))
                .findFirst()
                .orElse(BUG);
    }

    /** The failure itself, without what futures wrap around it. */
    public static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static boolean isOrIsCausedBy(Throwable failure, Class<? extends Throwable> type) {
        Throwable one = failure;
        // A chain may come back to where it began.
        for (int depth = 0; one != null && depth < 20; depth++) {
            if (type.isInstance(one)) {
                return true;
            }
            one = one.getCause();
        }
        return false;
    }
}
