package io.sluice.service.cluster;

/** The headers of Sluice's own, at the door and between instances; docs/http.md says what they mean. Constants only. */
public final class Headers {
    /** Of a read: what its answer must reflect. */
    public static final String AT_LEAST = "Sluice-At-Least";

    /** Of an answer: which decisions it reflects. */
    public static final String POSITION = "Sluice-Position";

    /** Of a standby's answer: how far it was behind. */
    public static final String LAG = "Sluice-Lag";

    /** Of a request between instances, {@code flow:3}: answer from your own copy of it, or say that you hold none. */
    public static final String PARTITION = "Sluice-Partition";

    private Headers() {}
}
