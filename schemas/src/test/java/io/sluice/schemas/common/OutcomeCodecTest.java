package io.sluice.schemas.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.Samples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutcomeCodecTest {
    private final OutcomeCodec codec = new OutcomeCodec(new SingleObject(KnownSchemas.shipped()));

    @ParameterizedTest
    @EnumSource(OutcomeCode.class)
    void everyCodeSurvivesEncoding(OutcomeCode code) {
        Outcome outcome =
                new Outcome("c", code, "", null, null, null, null, false, new Position("flow", 0, 0), "kafka");

        assertThat(codec.decode(OutcomeCodec.encode(outcome))).isEqualTo(outcome);
    }

    @Test
    void anOutcomeWithEveryFieldSurvivesEncoding() {
        assertThat(codec.decode(OutcomeCodec.encode(Samples.outcome()))).isEqualTo(Samples.outcome());
    }

    @Test
    void anUnknownCodeIsUndecodableAndNamed() {
        byte[] bytes = avro("FLOW_ON_FIRE", "flow:0@1");

        assertThatThrownBy(() -> codec.decode(bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("FLOW_ON_FIRE")
                .hasMessageContaining("c-9");
    }

    @Test
    void aBrokenPositionIsUndecodableAndNamed() {
        byte[] bytes = avro("OK", "flow@1");

        assertThatThrownBy(() -> codec.decode(bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("flow@1");
    }

    @Test
    void showsOnlyTheBeginningOfAHugeCode() {
        byte[] bytes = avro("X".repeat(100_000), "flow:0@1");

        assertThatThrownBy(() -> codec.decode(bytes)).message().hasSizeLessThan(1_000);
    }

    private static byte[] avro(String code, String position) {
        return SingleObject.encode(new io.sluice.avro.Outcome(
                "c-9", code, "", null, null, null, null, false, position, "kafka", null, null));
    }
}
