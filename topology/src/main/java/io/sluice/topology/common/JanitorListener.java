package io.sluice.topology.common;

/** Is told what a janitor does, so that it can be counted. Called by its thread: must neither block nor throw. */
public interface JanitorListener {
    /** Nobody listens. */
    JanitorListener NONE = new JanitorListener() {
        @Override
        public void buried(int settled) {}

        @Override
        public void failed() {}
    };

    /** The tombstones of so many settled commands are acknowledged. */
    void buried(int settled);

    /** It could not go on, and begins anew. */
    void failed();
}
