package io.sluice.tests.architecture.broken.service.rebuild;

import io.sluice.schemas.common.CommandFamily;

/** Breaks the rule that a rebuild reads no commands. */
public final class ReplaysCommands {
    private ReplaysCommands() {}

    public static String source() {
        return CommandFamily.FLOW.commandsTopic();
    }
}
