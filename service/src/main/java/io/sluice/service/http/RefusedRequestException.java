package io.sluice.service.http;

import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Position;
import java.util.List;

/** A request that is answered with a refusal: a row of the error table, and what to say about it. */
final class RefusedRequestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ErrorTable.Row row;
    private final transient List<Position> positions;
    private final String allow;

    private RefusedRequestException(ErrorTable.Row row, String detail, List<Position> positions, String allow) {
        super(detail);
        this.row = row;
        this.positions = positions;
        this.allow = allow;
    }

    RefusedRequestException(ErrorTable.Row row, String detail) {
        this(row, detail, List.of(), null);
    }

    /** @param positions the decisions that were looked at */
    RefusedRequestException(ErrorTable.Row row, String detail, List<Position> positions) {
        this(row, detail, positions, null);
    }

    static RefusedRequestException invalid(String detail) {
        return new RefusedRequestException(ErrorTable.of(OutcomeCode.INVALID_ARGUMENT), detail);
    }

    /** @param allow the methods that would be allowed */
    static RefusedRequestException wrongMethod(String detail, String allow) {
        return new RefusedRequestException(ErrorTable.METHOD_NOT_ALLOWED, detail, List.of(), allow);
    }

    ErrorTable.Row row() {
        return row;
    }

    List<Position> positions() {
        return positions;
    }

    /** The methods that would be allowed, or null. */
    String allow() {
        return allow;
    }
}
