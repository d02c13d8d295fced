package io.sluice.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.service.http.HttpSettings;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTableTest {
    @Test
    void everySettingHasAGroupARuleAndItsDocumentation() {
        assertThat(SettingsTable.rows()).hasSize(28).allSatisfy(row -> {
            assertThat(row.name).matches("[a-z]+(\\.[a-z]+)+");
            assertThat(row.group).isNotBlank();
            assertThat(SettingsTable.allowed(row).words()).isNotBlank();
            assertThat(row.documentation).isNotBlank().endsWith(".").doesNotContain("|");
            assertThat(KafkaClient.of(row.name)).isEmpty();
        });
    }

    @Test
    void whatHasNoFixedDefaultSaysWhatCounts() {
        assertThat(SettingsTable.rows())
                .allSatisfy(row -> assertThat(SettingsTable.derivedDefault(row.name))
                        .matches(words -> words.isPresent() == (row.hasDefault() && row.defaultValue == null)));
    }

    @Test
    void theTableStandsForItselfInKafkasForm() {
        Map<String, Object> given = new HashMap<>(Map.of(
                "bootstrap.servers", "kafka:9092",
                "instance.id", "i",
                "application.server", "host:7878",
                "state.dir", "/state"));
        assertThat(SettingsTable.definition().parse(given))
                .containsEntry("stream.threads", 1)
                .containsEntry("http.port", null);

        given.put("stream.threads", "65");
        assertThatThrownBy(() -> SettingsTable.definition().parse(given))
                .isInstanceOf(ConfigException.class)
                .hasMessage("Invalid value 65 for configuration stream.threads: allowed is 1 to 64");
    }

    @Test
    void noTwoSettingsShareAVariable() {
        List<String> names = new ArrayList<>();
        SettingsTable.rows().stream().map((ConfigKey row) -> row.name).forEach(names::add);
        for (KafkaClient client : KafkaClient.values()) {
            client.names().forEach(key -> names.add(client.prefix() + key));
        }

        assertThat(names.stream().map(SettingNames::variableOf))
                .hasSizeGreaterThan(500)
                .doesNotHaveDuplicates();
        assertThat(names)
                .allSatisfy(name -> assertThat(SettingNames.ofVariable(SettingNames.variableOf(name)))
                        .contains(name));
    }

    @Test
    void theFewestThreadsAreThoseThatTheDoorTakes() {
        assertThatCode(() -> door(8)).doesNotThrowAnyException();
        assertThatThrownBy(() -> door(7)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', 0",
        "a, '', 1",
        "'', ab, 2",
        "port, port, 0",
        "prot, port, 2",
        "ports, port, 1",
        "kitten, sitting, 3"
    })
    void theDistanceOfTwoNames(String from, String to, int distance) {
        assertThat(SettingNames.distance(from, to)).isEqualTo(distance);
        assertThat(SettingNames.distance(to, from)).isEqualTo(distance);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 B", "1000, 1000 B", "1024, 1 KiB", "1536, 1536 B", "134217728, 128 MiB", "1099511627776, 1024 GiB"
    })
    void sizesInWords(long bytes, String words) {
        assertThat(Units.size(bytes)).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1 ms", "1500, 1500 ms", "10000, 10 s", "600000, 10 min", "3600000, 1 h", "604800000, 7 d"})
    void durationsInWords(long ms, String words) {
        assertThat(Units.duration(ms)).isEqualTo(words);
    }

    private static HttpSettings door(int threads) {
        return new HttpSettings("host", 1, 1, threads, HttpSettings.DEFAULT_DRAIN_WITHIN, InstantSource.system());
    }
}
