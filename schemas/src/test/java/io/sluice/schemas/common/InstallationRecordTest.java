package io.sluice.schemas.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schemas.Samples;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class InstallationRecordTest {
    private final SingleObject singleObject = new SingleObject(KnownSchemas.shipped());

    @Test
    void survivesEncoding() {
        InstallationRecord record = Samples.installation();

        assertThat(InstallationRecord.decode(singleObject, record.encode())).isEqualTo(record);
    }

    /** Instances that start at once write the same bytes, whatever order they learned of the topics in. */
    @Test
    void equalValuesGiveEqualBytes() {
        Map<String, String> backwards = new LinkedHashMap<>();
        new TreeMap<>(Samples.installation().topicIds()).descendingMap().forEach(backwards::put);
        InstallationRecord same =
                new InstallationRecord(7, Samples.installation().partitionCounts(), new TreeMap<>(backwards));

        assertThat(same.encode()).isEqualTo(Samples.installation().encode());
    }

    @Test
    void doesNotFollowTheMapsItWasMadeFrom() {
        TreeMap<String, String> ids = new TreeMap<>(Map.of("sluice.meta", "a"));
        InstallationRecord record = new InstallationRecord(1, new TreeMap<>(), ids);

        ids.put("sluice.meta", "b");

        assertThat(record.topicIds()).containsEntry("sluice.meta", "a");
        assertThatThrownBy(() -> record.topicIds().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void numbersBelowOneAreUndecodableAndNamed() {
        assertThatThrownBy(() -> decode(0, Map.of("flow", 4)))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("generation 0");
        assertThatThrownBy(() -> decode(1, Map.of("flow", -4)))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("-4 of family flow");
    }

    @Test
    void showsOnlyTheBeginningOfAHugeFamilyName() {
        assertThatThrownBy(() -> decode(1, Map.of("x".repeat(100_000), 0)))
                .message()
                .hasSizeLessThan(1_000);
    }

    private InstallationRecord decode(long generation, Map<String, Integer> partitionCounts) {
        return InstallationRecord.decode(
                singleObject,
                SingleObject.encode(new io.sluice.avro.Installation(generation, partitionCounts, Map.of())));
    }
}
