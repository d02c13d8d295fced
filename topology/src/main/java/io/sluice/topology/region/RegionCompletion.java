package io.sluice.topology.region;

import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.ManifestReport;
import io.sluice.schemas.region.ManifestReport.ManifestWriteFailed;
import io.sluice.schemas.region.ManifestWriteOrder;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.RegionWriteKind;
import io.sluice.schemas.region.WriteInFlight;

/**
 * What a report of the writer completes (docs/behaviour.md, section 4.3). Stateless.
 *
 * <p>Only the report about the write in flight does; whatever it says, the region leaves the transient state that this write set,
 * unless it is in another one by now.
 */
final class RegionCompletion {
    private RegionCompletion() {}

    static void complete(RegionDraft draft, ManifestReport report) {
        String why = whyIgnored(draft, report);
        if (why != null) {
            draft.ignore(why);
            return;
        }
        if (report instanceof ManifestWriteFailed failed) {
            fail(draft, failed.reason());
        } else {
            succeed(draft);
        }
        RegionQueue.drain(draft);
    }

    /** Null when the report is about the write in flight. */
    private static String whyIgnored(RegionDraft draft, ManifestReport report) {
        String reported = "report about command " + report.commandId() + ", version " + U64.text(report.version())
                + " of region " + U64.text(report.regionId());
        if (!draft.isWriting()) {
            return reported + ": no write is in flight";
        }
        WriteInFlight write = draft.region().writeInFlight();
        if (!write.commandId().equals(report.commandId()) || write.version() != report.version()) {
            return reported + ": in flight is command " + write.commandId() + ", version " + U64.text(write.version());
        }
        return draft.openOrder() == null ? reported + ": the store is damaged, it has no order for it" : null;
    }

    private static void succeed(RegionDraft draft) {
        WriteInFlight write = draft.region().writeInFlight();
        if (write.kind() == RegionWriteKind.DROP) {
            draft.applied(write);
            draft.drop();
            return;
        }
        draft.advance(stateAfter(draft.region()));
        draft.applied(write);
    }

    private static void fail(RegionDraft draft, String reason) {
        WriteInFlight write = draft.region().writeInFlight();
        ManifestWriteOrder order = draft.openOrder();
        if (write.kind() == RegionWriteKind.CREATE) {
            draft.drop();
        } else {
            draft.giveUpWrite(stateAfter(draft.region()));
        }
        draft.failed(write, "the manifest could not be written: " + Texts.shortened(reason));
        if (write.kind() == RegionWriteKind.FLUSH || write.kind() == RegionWriteKind.COMPACT) {
            long issuedAtNanos = write.commands().get(0).issuedAtNanos();
            draft.giveUp(RegionDraft.addedBy(order), RegionDraft.milliseconds(issuedAtNanos));
        }
    }

    /** A transient state is always that of the write in flight; a role that was set meanwhile stays. */
    private static RegionState stateAfter(RegionRecord region) {
        return region.state().isTransient() ? RegionState.WRITABLE : region.state();
    }
}
