package io.sluice.state.common;

import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.state.common.OutcomeIndex.AgeKey;
import io.sluice.state.common.RowFinding.Code;
import io.sluice.state.common.RowFinding.Mend;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Checks the outcomes of a store against their ages, both ways: one without an age would be kept for ever, and an age without an
 * outcome would never do anything. Stateless apart from the codec; thread-safe.
 */
public final class OutcomeCheck {
    private static final byte[] PRESENT = new byte[0];
    /** What follows an outcome's key in scratch rows: a zero, then the time. */
    private static final int TIME_BYTES = 1 + Long.BYTES;

    private final OutcomeCodec codec;

    public OutcomeCheck(OutcomeCodec codec) {
        this.codec = codec;
    }

    /**
     * Checks.
     *
     * @param isHere whether the rows of a partition key belong into this partition
     * @param scratch gets rows under the tag of outcomes, where there are none
     * @param nowMs the age of an outcome whose age is not known, epoch milliseconds: it is kept rather too long
     */
    public void check(
            RowScanner stored, RowStore scratch, Predicate<String> isHere, long nowMs, Consumer<RowFinding> findings) {
        byte[] outcomes = {OutcomeIndex.TAG};
        collectAges(stored, scratch, findings);
        RowPages ages = new RowPages(scratch, outcomes);
        stored.scanPrefix(outcomes, (key, value) -> {
            while (ages.isThere() && Arrays.compareUnsigned(outcomeKey(ages.key()), key) < 0) {
                findings.accept(ageWithoutOutcome(ages.key()));
                ages.advance();
            }
            String broken = whyBroken(key, value);
            if (broken != null) {
                findings.accept(new RowFinding(Code.UNDECODABLE_ROW, key, where(key), broken, Mend.NONE));
            } else if (!isHere.test(OutcomeIndex.decodeKey(key).partitionKey())) {
                findings.accept(new RowFinding(
                        Code.ORPHAN_ROW, key, where(key), "the command belongs into another partition", Mend.NONE));
            }
            checkAges(key, ages, nowMs, findings);
            return true;
        });
        while (ages.isThere()) {
            findings.accept(ageWithoutOutcome(ages.key()));
            ages.advance();
        }
    }

    /** By the outcome's key, so that both can be walked side by side. */
    private static void collectAges(RowScanner stored, RowStore scratch, Consumer<RowFinding> findings) {
        stored.scanPrefix(new byte[] {OutcomeIndex.AGE_TAG}, (key, value) -> {
            AgeKey age = Damage.readOrNull(() -> OutcomeIndex.decodeAgeKey(key));
            if (age == null || age.commandId().indexOf('\0') >= 0) {
                findings.accept(new RowFinding(
                        Code.NONCANONICAL_KEY, key, where(key), "no outcome age has such a key", Mend.DELETE));
                return true;
            }
            if (value.length > 0) {
                findings.accept(new RowFinding(
                        Code.UNDECODABLE_ROW,
                        key,
                        where(key),
                        "has " + value.length + " bytes, an outcome age has none",
                        Mend.put(PRESENT)));
            }
            scratch.put(scratchKey(age), PRESENT);
            return true;
        });
    }

    private static byte[] scratchKey(AgeKey age) {
        byte[] outcome = OutcomeIndex.key(age.partitionKey(), age.commandId());
        byte[] key = Arrays.copyOf(outcome, outcome.length + TIME_BYTES);
        for (int i = 0; i < Long.BYTES; i++) {
            key[outcome.length + 1 + i] = (byte) (age.decidedMs() >>> (Long.SIZE - Byte.SIZE - Byte.SIZE * i));
        }
        return key;
    }

    private static byte[] outcomeKey(byte[] scratchKey) {
        return Arrays.copyOf(scratchKey, scratchKey.length - TIME_BYTES);
    }

    private static byte[] ageKey(byte[] scratchKey) {
        OutcomeIndex.Key outcome = OutcomeIndex.decodeKey(outcomeKey(scratchKey));
        long decidedMs = 0;
        for (int i = scratchKey.length - Long.BYTES; i < scratchKey.length; i++) {
            decidedMs = decidedMs << Byte.SIZE | scratchKey[i] & 0xFF;
        }
        return OutcomeIndex.ageKey(decidedMs, outcome.partitionKey(), outcome.commandId());
    }

    private static RowFinding ageWithoutOutcome(byte[] scratchKey) {
        byte[] key = ageKey(scratchKey);
        return new RowFinding(Code.ORPHAN_ROW, key, where(key), "there is no such outcome", Mend.DELETE);
    }

    /** Exactly one age per outcome; of several the last one counts, so that no outcome goes too early. */
    private static void checkAges(byte[] key, RowPages ages, long nowMs, Consumer<RowFinding> findings) {
        byte[] last = null;
        while (ages.isThere() && Arrays.equals(outcomeKey(ages.key()), key)) {
            if (last != null) {
                byte[] earlier = ageKey(last);
                findings.accept(new RowFinding(
                        Code.ORPHAN_ROW, earlier, where(earlier), "the outcome has a later age as well", Mend.DELETE));
            }
            last = ages.key();
            ages.advance();
        }
        OutcomeIndex.Key outcome = Damage.readOrNull(() -> OutcomeIndex.decodeKey(key));
        if (last == null && outcome != null) {
            byte[] missing = OutcomeIndex.ageKey(nowMs, outcome.partitionKey(), outcome.commandId());
            findings.accept(new RowFinding(
                    Code.MISSING_ROW,
                    missing,
                    "outcome_age/?/" + outcome.partitionKey() + "/" + outcome.commandId(),
                    "the outcome has no age, it would be kept for ever",
                    Mend.put(PRESENT)));
        }
    }

    private String whyBroken(byte[] key, byte[] value) {
        try {
            OutcomeIndex.Key of = OutcomeIndex.decodeKey(key);
            Outcome outcome = codec.decode(value);
            return outcome.commandId().equals(of.commandId())
                    ? null
                    : "is the outcome of command " + outcome.commandId();
        } catch (UndecodableException | NoncanonicalKeyException e) {
            return e.getMessage();
        }
    }

    private static String where(byte[] key) {
        return RowTexts.orHex(key, () -> RowTexts.ofCommon(key));
    }
}
