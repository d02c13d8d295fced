package io.sluice.client;

import java.util.UUID;

/** Makes command ids for callers that have none of their own. Stateless. */
public final class CommandIds {
    private CommandIds() {}

    /** A new id that nobody else has. */
    public static String random() {
        return UUID.randomUUID().toString();
    }
}
