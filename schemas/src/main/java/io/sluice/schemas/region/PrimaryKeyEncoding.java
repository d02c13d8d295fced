package io.sluice.schemas.region;

/** How primary keys are encoded in the files of a region. Names are those of the manifest's JSON. */
public enum PrimaryKeyEncoding {
    DENSE("dense"),
    SPARSE("sparse");

    private final String label;

    PrimaryKeyEncoding(String label) {
        this.label = label;
    }

    /** As in JSON. */
    public String label() {
        return label;
    }
}
