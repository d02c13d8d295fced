package io.sluice.schemas.flow;

/** Whether a flow runs. Written {@code "Active"} and {@code "PendingSources"} in JSON. */
public enum FlowStatus {
    /** All sources are resolved; the flow has routes. */
    ACTIVE("Active"),
    /** Some source does not exist yet; the flow has a record and a name, nothing else. */
    PENDING_SOURCES("PendingSources");

    private final String jsonName;

    FlowStatus(String jsonName) {
        this.jsonName = jsonName;
    }

    public String jsonName() {
        return jsonName;
    }
}
