package io.sluice.service.rebuild;

import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.cut.CutProgress;
import io.sluice.state.common.RowFinding;

/** Is told what a rebuild does: one call at a time. */
public interface RebuildListener extends CutProgress {
    /** It begins with this. */
    void step(String what);

    /** A row was wrong; if it can be mended, it is being mended now, unless this is a dry run. */
    void found(FamilyPartition partition, RowFinding finding);
}
