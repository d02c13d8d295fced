package io.sluice.state.flownode;

import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flownode.FlownodeRecordCodec;
import io.sluice.state.common.NoncanonicalKeyException;
import io.sluice.state.common.OutcomeCheck;
import io.sluice.state.common.RowFinding;
import io.sluice.state.common.RowFinding.Code;
import io.sluice.state.common.RowFinding.Mend;
import io.sluice.state.common.RowScanner;
import io.sluice.state.common.RowStore;
import io.sluice.state.common.UnknownRows;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Checks a flownode store: every row can be read and is where it is looked for, and outcomes have their ages. Addresses and reports
 * follow from no other rows.
 *
 * <p>Thread-safe; one check is one thread's. Never fails because of a row.
 */
public final class FlownodeCheck {
    private final FlownodeRecordCodec codec;
    private final OutcomeCheck outcomes;

    public FlownodeCheck(SingleObject singleObject) {
        codec = new FlownodeRecordCodec(singleObject);
        outcomes = new OutcomeCheck(new OutcomeCodec(singleObject));
    }

    /**
     * Checks the rows of one partition.
     *
     * @param scratch has no rows at first
     * @param isHere whether the rows of a flownode, by its id in decimal, belong into this partition
     * @param nowMs as for {@link OutcomeCheck#check}
     * @param findings is told what is wrong, row by row
     */
    public void check(
            RowScanner stored, RowStore scratch, Predicate<String> isHere, long nowMs, Consumer<RowFinding> findings) {
        checkRows(
                stored,
                FlownodeKeyFamily.ADDRESS,
                FlownodeAddressIndex::decodeKey,
                value -> codec.decodeAddress(value).flownodeId(),
                isHere,
                findings);
        checkRows(
                stored,
                FlownodeKeyFamily.REPORT,
                FlownodeReportIndex::decodeKey,
                value -> codec.decodeReport(value).flownodeId(),
                isHere,
                findings);
        UnknownRows.check(stored, FlownodeKeyFamily.values(), FlownodeRowText::of, findings);
        outcomes.check(stored, scratch, isHere, nowMs, findings);
    }

    private static void checkRows(
            RowScanner stored,
            FlownodeKeyFamily family,
            ToLongFunction<byte[]> keyId,
            ToLongFunction<byte[]> valueId,
            Predicate<String> isHere,
            Consumer<RowFinding> findings) {
        stored.scanPrefix(family.prefix(), (key, value) -> {
            Code code = null;
            String message = null;
            try {
                long id = keyId.applyAsLong(key);
                long said = valueId.applyAsLong(value);
                if (said != id) {
                    code = Code.UNDECODABLE_ROW;
                    message = "is about flownode " + U64.text(said);
                } else if (!isHere.test(U64.text(id))) {
                    code = Code.ORPHAN_ROW;
                    message = "the flownode belongs into another partition";
                }
            } catch (NoncanonicalKeyException e) {
                code = Code.NONCANONICAL_KEY;
                message = "no " + family.label() + " has such a key";
            } catch (UndecodableException e) {
                code = Code.UNDECODABLE_ROW;
                message = e.getMessage();
            }
            if (code != null) {
                findings.accept(new RowFinding(code, key, FlownodeRowText.of(key), message, Mend.NONE));
            }
            return true;
        });
    }
}
