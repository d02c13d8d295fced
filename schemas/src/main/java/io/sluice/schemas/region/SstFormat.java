package io.sluice.schemas.region;

/** The format of the files of a region. Names are those of the manifest's JSON. */
public enum SstFormat {
    PRIMARY_KEY("primary_key"),
    FLAT("flat");

    private final String label;

    SstFormat(String label) {
        this.label = label;
    }

    /** As in JSON. */
    public String label() {
        return label;
    }
}
