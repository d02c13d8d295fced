package io.sluice.schemas.flownode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.Samples;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flow.FlowCommandCodec;
import org.junit.jupiter.api.Test;

class FlownodeCommandCodecTest {
    private final FlownodeCommandCodec codec = new FlownodeCommandCodec(new SingleObject(KnownSchemas.shipped()));

    @Test
    void aFlownodesIdIsItsPartitionKeyInDecimal() {
        FlownodeCommand command = codec.decode(FlownodeCommandCodec.encode(Samples.registerFlownode()));

        assertThat(command.key()).hasToString("18446744073709551615/c-6");
        assertThat(command.family()).isEqualTo(CommandFamily.FLOWNODE);
    }

    @Test
    void aFlowCommandIsRefusedByName() {
        byte[] dropFlow = FlowCommandCodec.encode(Samples.dropFlow());

        assertThatThrownBy(() -> codec.decode(dropFlow))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("DropFlow")
                .hasMessageContaining("expected RegisterFlownode or ReportFlowState");
    }
}
