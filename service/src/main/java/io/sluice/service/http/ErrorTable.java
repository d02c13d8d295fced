package io.sluice.service.http;

import io.sluice.client.CommandNotSentException;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.service.fault.Fault;
import io.sluice.service.fault.FaultTable;
import io.sluice.service.json.JsonRefusedException;
import io.sluice.service.query.NotOwnerException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.eclipse.jetty.http.BadMessageException;

/**
 * The one place that says what a refusal or a failure is over HTTP: stable code, status, whose fault it is, and when
 * to try again. The tables of docs/errors.md and docs/http.md say the same.
 *
 * <p>Stateless.
 */
public final class ErrorTable {
    private static final int RETRY_AFTER_SECS = 1;
    private static final Map<String, Row> BY_CODE = new LinkedHashMap<>();

    /**
     * A row of the table.
     *
     * @param code stable name
     * @param status of HTTP
     * @param retryAfterSecs for the header Retry-After; 0 for none
     */
    public record Row(String code, int status, Fault fault, int retryAfterSecs) {}

    public static final Row OK = row(OutcomeCode.OK.name(), 200, Fault.NOBODY);
    public static final Row FLOWNODE_NOT_FOUND = row("FLOWNODE_NOT_FOUND", 404, Fault.CALLER);
    public static final Row OUTCOME_NOT_FOUND = row("OUTCOME_NOT_FOUND", 404, Fault.CALLER);
    public static final Row NOT_FOUND = row("NOT_FOUND", 404, Fault.CALLER);
    public static final Row METHOD_NOT_ALLOWED = row("METHOD_NOT_ALLOWED", 405, Fault.CALLER);
    public static final Row NOT_READY = row("NOT_READY", 503, Fault.TEMPORARY);
    /** Tells another instance to look for the owner anew, at once. */
    public static final Row NOT_OWNER = row("NOT_OWNER", 421, Fault.TEMPORARY, 0);

    public static final Row INTERNAL = row("INTERNAL", 500, Fault.OURS);

    static {
        for (OutcomeCode code : OutcomeCode.values()) {
            if (code != OutcomeCode.OK) {
                row(code.name(), statusOf(code), faultOf(code));
            }
        }
    }

    private ErrorTable() {}

    /** Every row. */
    public static List<Row> rows() {
        return List.copyOf(BY_CODE.values());
    }

    public static Row of(OutcomeCode code) {
        return BY_CODE.get(code.name());
    }

    /** What a throwable means; anything that is not known is INTERNAL. */
    public static Row of(Throwable failure) {
        Throwable cause = FaultTable.unwrapped(failure);
        if (cause instanceof RefusedRequestException refused) {
            return refused.row();
        }
        if (cause instanceof JsonRefusedException refused) {
            return of(refused.code());
        }
        if (cause instanceof BadMessageException bad) {
            return ofHttp(bad.getCode());
        }
        if (cause instanceof NotOwnerException) {
            return NOT_OWNER;
        }
        if (cause instanceof CommandNotSentException && cause.getCause() instanceof RecordTooLargeException) {
            return of(OutcomeCode.TOO_LARGE);
        }
        return FaultTable.of(cause).fault() == Fault.TEMPORARY ? NOT_READY : INTERNAL;
    }

    /** The row for a status that the HTTP server itself gives, before a request reaches an endpoint. */
    static Row ofHttp(int status) {
        return switch (status) {
            case 404 -> NOT_FOUND;
            case 405 -> METHOD_NOT_ALLOWED;
            case 421 -> NOT_OWNER;
            case 413, 414, 431 -> of(OutcomeCode.TOO_LARGE);
            case 503 -> NOT_READY;
            default -> status >= 400 && status < 500 ? of(OutcomeCode.MALFORMED) : INTERNAL;
        };
    }

    private static Fault faultOf(OutcomeCode code) {
        return switch (code) {
            case MISROUTED -> Fault.OURS;
            case REGION_BUSY, MANIFEST_WRITE_FAILED -> Fault.TEMPORARY;
            default -> Fault.CALLER;
        };
    }

    private static int statusOf(OutcomeCode code) {
        return switch (code) {
            case OK -> 200;
            case FLOW_ALREADY_EXISTS, FLOW_VALUE_MISMATCH, FLOW_ID_TAKEN, FLOW_ID_MISMATCH, FLOW_ROUTE_NOT_FOUND -> 409;
            case REGION_ALREADY_EXISTS, REGION_NOT_WRITABLE, REGION_TRUNCATED, SCHEMA_OUTDATED, STALE_INDEX_SOURCE ->
                409;
            case REVISION_MISMATCH -> 412;
            case FLOW_NOT_FOUND, REGION_NOT_FOUND -> 404;
            case REGION_BUSY -> 503;
            // Somebody behind this service did not do his part.
            case MANIFEST_WRITE_FAILED -> 502;
            case UNSUPPORTED -> 422;
            case INVALID_ARGUMENT, MALFORMED -> 400;
            case TOO_LARGE -> 413;
            // An answer to a record on the wrong partition. What comes by HTTP is routed here, so it would be our
            // fault.
            case MISROUTED -> 500;
        };
    }

    private static Row row(String code, int status, Fault fault) {
        // Only of a 503 does it help to send the same again. A write that failed has an outcome, and its files may be
        // given up.
        return row(code, status, fault, status == 503 ? RETRY_AFTER_SECS : 0);
    }

    private static Row row(String code, int status, Fault fault, int retryAfterSecs) {
        Row row = new Row(code, status, fault, retryAfterSecs);
        BY_CODE.put(code, row);
        return row;
    }
}
