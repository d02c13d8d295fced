package io.sluice.topology.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flownode.FlownodeCommand;
import io.sluice.schemas.region.RegionCommand;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CommandKindTest {
    @Test
    void everyCommandHasAKindThatIsNamedLikeIt() {
        List<String> commands = Stream.of(FlowCommand.class, FlownodeCommand.class, RegionCommand.class)
                .flatMap(family -> Stream.of(family.getPermittedSubclasses()))
                .map(type -> type.getSimpleName()
                        .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
                        .toLowerCase())
                .toList();

        assertThat(Stream.of(CommandKind.values())
                        .filter(kind -> kind != CommandKind.NONE)
                        .map(CommandKind::label))
                .containsExactlyInAnyOrderElementsOf(commands);
    }
}
