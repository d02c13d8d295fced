package io.sluice.topology.common;

import io.sluice.schemas.common.Command;
import io.sluice.schemas.flow.CommentFlow;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.DropFlow;
import io.sluice.schemas.flow.ImportFlow;
import io.sluice.schemas.flow.ImportFlowIds;
import io.sluice.schemas.flow.ReplaceFlow;
import io.sluice.schemas.flownode.RegisterFlownode;
import io.sluice.schemas.flownode.ReportFlowState;
import io.sluice.schemas.region.AlterRegion;
import io.sluice.schemas.region.CompactRegion;
import io.sluice.schemas.region.ConfirmDeleted;
import io.sluice.schemas.region.CreateRegion;
import io.sluice.schemas.region.DiscardUnflushed;
import io.sluice.schemas.region.DropRegion;
import io.sluice.schemas.region.EditRegion;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.ImportRegion;
import io.sluice.schemas.region.PublishIndex;
import io.sluice.schemas.region.RegionWriteKind;
import io.sluice.schemas.region.SetRegionRole;
import io.sluice.schemas.region.TruncateRegion;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** What a command asks for, for those who count commands. Immutable. */
public enum CommandKind {
    CREATE_FLOW(CreateFlow.class),
    REPLACE_FLOW(ReplaceFlow.class),
    DROP_FLOW(DropFlow.class),
    COMMENT_FLOW(CommentFlow.class),
    IMPORT_FLOW(ImportFlow.class),
    IMPORT_FLOW_IDS(ImportFlowIds.class),
    REGISTER_FLOWNODE(RegisterFlownode.class),
    REPORT_FLOW_STATE(ReportFlowState.class),
    CREATE_REGION(CreateRegion.class),
    ALTER_REGION(AlterRegion.class),
    EDIT_REGION(EditRegion.class),
    FLUSH_REGION(FlushRegion.class),
    COMPACT_REGION(CompactRegion.class),
    TRUNCATE_REGION(TruncateRegion.class),
    DROP_REGION(DropRegion.class),
    SET_REGION_ROLE(SetRegionRole.class),
    PUBLISH_INDEX(PublishIndex.class),
    DISCARD_UNFLUSHED(DiscardUnflushed.class),
    CONFIRM_DELETED(ConfirmDeleted.class),
    IMPORT_REGION(ImportRegion.class),
    /** None: the record could not be decided. */
    NONE(null);

    private static final Map<Class<? extends Command>, CommandKind> BY_TYPE = byType();

    private final Class<? extends Command> type;

    CommandKind(Class<? extends Command> type) {
        this.type = type;
    }

    private static Map<Class<? extends Command>, CommandKind> byType() {
        Map<Class<? extends Command>, CommandKind> kinds = new HashMap<>();
        for (CommandKind kind : values()) {
            if (kind.type != null) {
                kinds.put(kind.type, kind);
            }
        }
        return Map.copyOf(kinds);
    }

    /** The kind of a command; {@link #NONE} for one that nobody has named here. */
    public static CommandKind of(Command command) {
        return BY_TYPE.getOrDefault(command.getClass(), NONE);
    }

    /** The kind of the command that a manifest write belongs to. */
    public static CommandKind of(RegionWriteKind write) {
        return switch (write) {
            case CREATE -> CREATE_REGION;
            case ALTER -> ALTER_REGION;
            case EDIT -> EDIT_REGION;
            case FLUSH -> FLUSH_REGION;
            case COMPACT -> COMPACT_REGION;
            case TRUNCATE -> TRUNCATE_REGION;
            case DISCARD_UNFLUSHED -> DISCARD_UNFLUSHED;
            case PUBLISH_INDEX -> PUBLISH_INDEX;
            case DROP -> DROP_REGION;
        };
    }

    /** Its name in metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
