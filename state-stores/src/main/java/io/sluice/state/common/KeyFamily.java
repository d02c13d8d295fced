package io.sluice.state.common;

/** A key family of a store: the rows whose keys begin with one tag. The tags of a store differ, and are frozen. Immutable. */
public interface KeyFamily {
    /** First byte of all its keys. */
    byte tag();

    /** Its name for people. */
    String label();

    /** The prefix of all its keys. */
    default byte[] prefix() {
        return new byte[] {tag()};
    }
}
