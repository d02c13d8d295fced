package io.sluice.state.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.Position;
import io.sluice.schemas.common.SingleObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutcomeIndexTest {
    private static final int ALL = 100;

    private final InMemoryRows rows = new InMemoryRows();
    private final OutcomeIndex outcomes = new OutcomeIndex(new OutcomeCodec(new SingleObject(KnownSchemas.shipped())));

    private static Outcome outcome(String commandId) {
        return new Outcome(
                commandId,
                OutcomeCode.FLOW_NOT_FOUND,
                "no flow f",
                "greptime",
                1024L,
                "f",
                -1L,
                false,
                new Position("flow", 3, 17),
                "kafka");
    }

    private void given(String catalog, String commandId, long decidedMs) {
        OutcomeIndex.record(rows, catalog, outcome(commandId), decidedMs);
    }

    private Outcome find(String commandId) {
        return outcomes.find(rows, "greptime", commandId);
    }

    @Test
    void aRecordedOutcomeIsFoundAsItWas() {
        given("greptime", "c-1", 10);
        assertThat(find("c-1")).isEqualTo(outcome("c-1"));
    }

    @Test
    void anOutcomeIsTwoRows() {
        given("greptime", "c-1", 10);
        assertThat(rows.toHex())
                .hasSize(2)
                .containsEntry("08000000000000000a" + "6772657074696d65" + "00" + "632d31", "");
    }

    @Test
    void aCommandIdIsUniqueWithinItsCatalogOnly() {
        given("greptime", "c-1", 10);
        assertThat(outcomes.find(rows, "other", "c-1")).isNull();
        assertThat(find("c-10")).isNull();
        assertThat(find("c-")).isNull();
    }

    @Test
    void expiryDeletesBothRowsOfWhatIsOlder() {
        given("greptime", "old", 10);
        given("greptime", "new", 20);
        long left = OutcomeIndex.expire(rows, rows, 0, 20, ALL);
        assertThat(find("old")).isNull();
        assertThat(find("new")).isNotNull();
        assertThat(rows.size()).isEqualTo(2);
        assertThat(left).isEqualTo(20);
    }

    @Test
    void whatWasDecidedAtTheGivenTimeIsKept() {
        given("greptime", "c-1", 10);
        assertThat(OutcomeIndex.expire(rows, rows, 0, 10, ALL)).isEqualTo(10);
        assertThat(find("c-1")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void expiryDeletesAFewOfTheOldestAndSaysTheTimeOfTheOldestLeft(int atMost) {
        given("greptime", "c-2", 12);
        given("greptime", "c-0", 10);
        given("greptime", "c-1", 11);
        assertThat(OutcomeIndex.expire(rows, rows, 0, 1_000, atMost)).isEqualTo(10 + atMost);
        assertThat(rows.size()).isEqualTo(2 * (3 - atMost));
    }

    @Test
    void outcomesOfOneTimeExpireOneByOne() {
        given("foo", "c-1", 10);
        given("foobar", "c-1", 10);
        given("foo", "c-2", 10);
        assertThat(OutcomeIndex.expire(rows, rows, 0, 11, 2)).isEqualTo(10);
        assertThat(rows.size()).isEqualTo(2);
        assertThat(OutcomeIndex.expire(rows, rows, 0, 11, 2)).isEqualTo(Long.MAX_VALUE);
        assertThat(rows.size()).isZero();
    }

    @Test
    void nothingIsLeftWhenTheLastOnesExpireAtTheBound() {
        given("greptime", "c-1", 10);
        given("greptime", "c-2", 11);
        assertThat(OutcomeIndex.expire(rows, rows, 0, 12, 2)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anEmptyStoreHasNothingToExpire() {
        RecordingRows recording = new RecordingRows(rows);
        assertThat(OutcomeIndex.expire(recording, recording, 0, Long.MAX_VALUE, ALL))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(recording.writes()).isEmpty();
    }

    @Test
    void expiryWritesNothingWhenNothingIsOldEnough() {
        given("greptime", "c-1", 10);
        RecordingRows recording = new RecordingRows(rows);
        OutcomeIndex.expire(recording, recording, 0, 5, ALL);
        assertThat(recording.writes()).isEmpty();
    }

    @Test
    void expiryLeavesOtherRowsAndTheCursorAlone() {
        rows.put(new byte[] {1, 2}, new byte[] {3});
        CursorRow.write(rows, new Cursor(1, 0));
        int before = rows.size();
        given("greptime", "c-1", 10);
        OutcomeIndex.expire(rows, rows, 0, Long.MAX_VALUE, ALL);
        assertThat(rows.size()).isEqualTo(before);
    }
}
