package io.sluice.topology.common;

import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.OutcomeCode;
import java.util.ArrayList;
import java.util.List;

/** Remembers, as text, what it was told. One thread. */
public final class RecordedDecisions implements DecisionListener {
    private final List<String> told = new ArrayList<>();

    @Override
    public void taken(CommandFamily family, long waitedMs) {
        told.add("taken " + family.label() + " after " + waitedMs);
    }

    @Override
    public void settled(CommandFamily family, CommandKind kind, OutcomeCode code) {
        told.add(family.label() + " " + kind.label() + " " + code);
    }

    @Override
    public void repeated(CommandFamily family) {
        told.add("repeated " + family.label());
    }

    @Override
    public void deadLettered(CommandFamily family, OutcomeCode reason) {
        told.add("dead letter " + family.label() + " " + reason);
    }

    /** All of it since the last call. */
    public List<String> told() {
        List<String> all = List.copyOf(told);
        told.clear();
        return all;
    }
}
