package io.sluice.tests.harness;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.rebuild.RebuildListener;
import io.sluice.state.common.RowFinding;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Remembers what a rebuild has found. Thread-safe. */
public final class RebuildRecorder implements RebuildListener {
    private final List<String> found = Collections.synchronizedList(new ArrayList<>());

    /** The code of each finding, and where it is. */
    public List<String> found() {
        return List.copyOf(found);
    }

    @Override
    public void step(String what) {
        // Nobody looks at it here.
    }

    @Override
    public void found(FamilyPartition partition, RowFinding finding) {
        found.add(finding.code() + " " + finding.where());
    }

    @Override
    public void reached(long done, long total) {
        if (done > total) {
            throw new AssertionError(done + " of " + total + " offsets");
        }
    }
}
