package io.sluice.service.greptime;

import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U64;
import io.sluice.service.common.Finding.Code;
import io.sluice.service.greptime.SnapshotKey.Address;
import io.sluice.service.greptime.SnapshotKey.Broken;
import io.sluice.service.greptime.SnapshotKey.Generation;
import io.sluice.service.greptime.SnapshotKey.NotOurs;
import io.sluice.service.greptime.SnapshotKey.OfFlow;
import io.sluice.service.greptime.SnapshotKey.Sequence;
import io.sluice.service.greptime.SnapshotKey.State;
import io.sluice.service.json.FlowRowJson;
import io.sluice.state.flow.FlowKeyFamily;
import io.sluice.state.flow.FlowTextKey;
import io.sluice.state.flow.FlowTextKeys.Layout;
import io.sluice.state.flow.FlowTextKeys.TextKeyException;
import java.util.Arrays;

/**
 * Tells what the keys of a file are about (docs/formats.md 4.1, 5.1). Stateless. Invariant: a number that is not spelled in its one
 * way is never taken for another one.
 */
final class SnapshotKeys {
    private static final String STATE = Layout.FLOW.prefix() + "state";
    private static final String STATE_OF_FLOWNODE = STATE + "/node/";

    private SnapshotKeys() {}

    /** @param value decides where one text is a key of two layouts */
    static SnapshotKey read(String key, byte[] value) {
        if (key.startsWith(Layout.FLOW_TASK.prefix())) {
            return ofGeneration(Generation.FLOW_TASK, key);
        }
        if (key.equals(STATE)) {
            return new State();
        }
        if (key.startsWith(STATE_OF_FLOWNODE)) {
            return flownodeId(key, STATE_OF_FLOWNODE) == null ? noncanonical(key, STATE_OF_FLOWNODE) : new State();
        }
        if (key.startsWith(Layout.FLOW.prefix())) {
            return withFlowPrefix(key, value);
        }
        if (key.equals(SnapshotKey.SEQUENCE)) {
            return new Sequence();
        }
        if (key.startsWith(SnapshotKey.ADDRESS_PREFIX)) {
            Long flownodeId = flownodeId(key, SnapshotKey.ADDRESS_PREFIX);
            return flownodeId == null ? noncanonical(key, SnapshotKey.ADDRESS_PREFIX) : new Address(flownodeId);
        }
        return new NotOurs();
    }

    /** Today's layout first; the one before it, which has the same prefix, where that does not fit. */
    private static SnapshotKey withFlowPrefix(String key, byte[] value) {
        SnapshotKey today = ofGeneration(Generation.TODAY, key);
        if (today instanceof OfFlow found) {
            return isNamedLikeAFamily(found.key())
                            && ofGeneration(Generation.BETWEEN, key) instanceof OfFlow older
                            && isOf(older.key().family(), value)
                    ? older
                    : today;
        }
        SnapshotKey older = ofGeneration(Generation.BETWEEN, key);
        // Where neither fits, the one that it comes closer to says what is wrong with it.
        return older instanceof OfFlow || isUnknown(today) && !isUnknown(older) ? older : today;
    }

    private static boolean isUnknown(SnapshotKey key) {
        return key instanceof Broken broken && broken.code() == Code.UNKNOWN_KEY;
    }

    private static SnapshotKey ofGeneration(Generation generation, String key) {
        try {
            return new OfFlow(generation, generation.key(key));
        } catch (TextKeyException e) {
            return new Broken(code(generation, e), e.getMessage());
        }
    }

    private static Code code(Generation generation, TextKeyException e) {
        return switch (e.problem()) {
            case NUMBER -> Code.NONCANONICAL_KEY;
            case FLOW_NAME -> Code.UNDECODABLE_ROW;
            case FORM -> Code.UNKNOWN_KEY;
            // Where any text may stand behind the prefix, one that is no catalog says nothing.
            case CATALOG -> generation == Generation.BETWEEN ? Code.UNKNOWN_KEY : Code.UNDECODABLE_ROW;
        };
    }

    /** {@code __flow/name/info/5} is the name of a flow called 5, or the info of a flow in a catalog called name. */
    private static boolean isNamedLikeAFamily(FlowTextKey key) {
        return key instanceof FlowTextKey.Name name
                && Arrays.stream(FlowKeyFamily.values())
                        .anyMatch(family -> family.label().equals(name.catalog()));
    }

    /** Whether a value that stands under a name is of another family. */
    private static boolean isOf(FlowKeyFamily family, byte[] value) {
        return family != FlowKeyFamily.NAME && !FlowRowJson.isName(value);
    }

    private static Long flownodeId(String key, String prefix) {
        return U64.parseOrNull(key.substring(prefix.length()));
    }

    private static Broken noncanonical(String key, String prefix) {
        return new Broken(
                Code.NONCANONICAL_KEY,
                "key \"" + Texts.shortened(key) + "\": expected " + prefix
                        + "{flownode_id}, a number without leading zeros");
    }
}
