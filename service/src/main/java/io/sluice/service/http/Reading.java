package io.sluice.service.http;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.cluster.Headers;
import io.sluice.service.cluster.PeerClient;
import io.sluice.service.query.Queries;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One read on its way. Immutable.
 *
 * @param request as it came
 * @param lookUp what is asked of each partition that it is about
 * @param atLeast what its answer must reflect
 * @param stale whether a standby's answer will do
 * @param deadlineNanos as {@link System#nanoTime()}
 */
record Reading(Request request, LookUp lookUp, AtLeast atLeast, boolean stale, long deadlineNanos) {
    /** What a partition says, or its part of it. */
    interface LookUp {
        Reply answer(Queries queries, FamilyPartition partition);
    }

    /** The same, but of those that decide. */
    Reading ofOwners() {
        return new Reading(request, lookUp, atLeast, false, deadlineNanos);
    }

    /** How long another instance may be let wait for it. */
    Duration waits() {
        return PeerClient.waitWithin(Duration.ofNanos(deadlineNanos - System.nanoTime()));
    }

    /** What another instance has to know besides path and partition. */
    Map<String, String> forwardedHeaders() {
        Map<String, String> headers = new LinkedHashMap<>();
        String wanted = request.header(Headers.AT_LEAST);
        if (wanted != null) {
            headers.put(Headers.AT_LEAST, wanted);
        }
        if (stale) {
            headers.put(Request.PREFER, Request.STALE);
        }
        return headers;
    }
}
