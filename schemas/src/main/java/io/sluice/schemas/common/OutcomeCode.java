package io.sluice.schemas.common;

/** What became of a command. Names are stable: callers rely on them; docs/errors.md says when each is given. */
public enum OutcomeCode {
    OK,
    FLOW_ALREADY_EXISTS,
    FLOW_VALUE_MISMATCH,
    FLOW_ID_TAKEN,
    FLOW_ID_MISMATCH,
    REVISION_MISMATCH,
    FLOW_NOT_FOUND,
    FLOW_ROUTE_NOT_FOUND,
    REGION_ALREADY_EXISTS,
    REGION_NOT_FOUND,
    REGION_NOT_WRITABLE,
    REGION_BUSY,
    REGION_TRUNCATED,
    SCHEMA_OUTDATED,
    STALE_INDEX_SOURCE,
    MANIFEST_WRITE_FAILED,
    UNSUPPORTED,
    INVALID_ARGUMENT,
    MISROUTED,
    MALFORMED,
    TOO_LARGE
}
