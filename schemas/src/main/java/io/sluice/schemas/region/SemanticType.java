package io.sluice.schemas.region;

/** What a column is for. Names are those of the manifest's JSON (docs/formats.md, section 13). */
public enum SemanticType {
    TAG("Tag"),
    FIELD("Field"),
    TIMESTAMP("Timestamp");

    private final String label;

    SemanticType(String label) {
        this.label = label;
    }

    /** As in JSON. */
    public String label() {
        return label;
    }
}
