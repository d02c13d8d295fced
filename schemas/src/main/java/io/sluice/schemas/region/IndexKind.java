package io.sluice.schemas.region;

/** A kind of index that a file may have. Names are those of the manifest's JSON (docs/formats.md, section 12). */
public enum IndexKind {
    INVERTED("InvertedIndex"),
    FULLTEXT("FulltextIndex"),
    BLOOM_FILTER("BloomFilterIndex"),
    VECTOR("VectorIndex");

    private final String label;

    IndexKind(String label) {
        this.label = label;
    }

    /** As in JSON. */
    public String label() {
        return label;
    }
}
