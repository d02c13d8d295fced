package io.sluice.service.rebuild;

import io.sluice.schemas.common.RebuildRecord;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Who a rebuild is, and whether another one is surely dead. Stateless. */
public final class RebuildHolder {
    private RebuildHolder() {}

    /** This process, as the one that rebuilds from now on. */
    public static RebuildRecord self() {
        ProcessHandle self = ProcessHandle.current();
        return new RebuildRecord(
                UUID.randomUUID().toString(),
                host(),
                self.pid(),
                startedMs(self),
                System.getProperty("user.name", "unknown"),
                System.currentTimeMillis());
    }

    /** Only of a process on this machine can that be known: it is not there, or another one has its number by now. */
    static boolean isDead(RebuildRecord other) {
        if (!other.host().equals(host())) {
            return false;
        }
        Optional<ProcessHandle> process = ProcessHandle.of(other.processId()).filter(ProcessHandle::isAlive);
        return process.isEmpty()
                || (other.processStartedMs() != 0 && startedMs(process.get()) != other.processStartedMs());
    }

    private static long startedMs(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown host";
        }
    }
}
