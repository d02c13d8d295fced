package io.sluice.topology.common;

import io.sluice.schemas.common.MaintenanceRecord;
import io.sluice.schemas.common.MaintenanceTask;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;

/** Purpose: who is at work, and whether another one surely is not any more. Stateless. */
final class ThisProcess {
    /** When a process started is told by the wall clock, which may have been set since. */
    private static final long CLOCK_STEP_MS = Duration.ofMinutes(1).toMillis();

    private static final String UNKNOWN_HOST = "unknown host";

    private ThisProcess() {}

    /** This process, as the one that is at work from now on. */
    static MaintenanceRecord at(MaintenanceTask task) {
        ProcessHandle self = ProcessHandle.current();
        return new MaintenanceRecord(
                UUID.randomUUID().toString(),
                task,
                host(),
                self.pid(),
                startedMs(self),
                System.getProperty("user.name", "unknown"),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toEpochMilli());
    }

    /**
     * Only of a process on this machine can that be known: it is not there, another one has its number by now, or it is this one,
     * which does not work twice at a time.
     */
    static boolean isGone(MaintenanceRecord other) {
        if (!other.host().equals(host()) || other.host().equals(UNKNOWN_HOST)) {
            return false;
        }
        if (other.processId() == ProcessHandle.current().pid()) {
            return true;
        }
        Optional<ProcessHandle> process = ProcessHandle.of(other.processId()).filter(ProcessHandle::isAlive);
        return process.isEmpty() || isAnother(startedMs(process.get()), other.processStartedMs());
    }

    private static boolean isAnother(long startedMs, long otherStartedMs) {
        return startedMs != 0 && otherStartedMs != 0 && Math.abs(startedMs - otherStartedMs) > CLOCK_STEP_MS;
    }

    private static long startedMs(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return UNKNOWN_HOST;
        }
    }
}
