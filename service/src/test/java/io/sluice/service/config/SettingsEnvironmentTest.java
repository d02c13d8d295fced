package io.sluice.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsEnvironmentTest {
    private final List<String> problems = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        "SLUICE_BOOTSTRAP_SERVERS, bootstrap.servers",
        "SLUICE_HTTP_MAX_BODY_BYTES, http.max.body.bytes",
        "SLUICE_HTTP_PORT, http.port",
        "SLUICE_KAFKA_SASL_JAAS_CONFIG, kafka.sasl.jaas.config",
        "SLUICE_PRODUCER_BATCH_SIZE, producer.batch.size",
        "SLUICE_CONSUMER_MAX_POLL_RECORDS, consumer.max.poll.records",
        "SLUICE_ADMIN_REQUEST_TIMEOUT_MS, admin.request.timeout.ms",
        "SLUICE_STREAMS_MAIN_CONSUMER_MAX_POLL_RECORDS, streams.main.consumer.max.poll.records",
        // The two settings of Kafka that have an underscore.
        "SLUICE_STREAMS_RACK_AWARE_ASSIGNMENT_NON_OVERLAP_COST, streams.rack.aware.assignment.non_overlap_cost",
        "SLUICE_STREAMS_RACK_AWARE_ASSIGNMENT_TRAFFIC_COST, streams.rack.aware.assignment.traffic_cost",
        // A plug-in's.
        "SLUICE_KAFKA_MY_REPORTER_URL, kafka.my.reporter.url",
        // Refused later, by the name that was meant.
        "SLUICE_STREAMS_APPLICATION_ID, streams.application.id",
    })
    void aVariableStandsForASetting(String variable, String setting) {
        assertThat(read(Map.of(variable, "1")))
                .containsExactly(new Given(setting, "1", "in environment variable " + variable));
        assertThat(problems).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "PATH, /bin",
        "sluice_http_port, 1",
        "SLUICEHTTP, 1",
        "SLUICE_SERVER, http://127.0.0.1:7878",
        "SLUICE_JAVA_OPTS, -Xmx2g",
        // As Kubernetes sets them for services "sluice" and "sluice-http".
        "SLUICE_SERVICE_HOST, 10.0.0.1",
        "SLUICE_SERVICE_PORT, 7878",
        "SLUICE_SERVICE_PORT_HTTP, 7878",
        "SLUICE_PORT, tcp://10.0.0.1:7878",
        "SLUICE_PORT_7878_TCP, tcp://10.0.0.1:7878",
        "SLUICE_PORT_7878_TCP_ADDR, 10.0.0.1",
        "SLUICE_HTTP_SERVICE_HOST, 10.0.0.1",
        "SLUICE_HTTP_PORT, tcp://10.0.0.1:7878",
    })
    void variablesForOthersAreLeftAlone(String variable, String value) {
        assertThat(read(Map.of(variable, value))).isEmpty();
        assertThat(problems).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "SLUICE_HTTP_PROT, SLUICE_HTTP_PORT",
        "SLUICE_PORT, SLUICE_HTTP_PORT",
        "SLUICE_BOOTSTRAP_SERVER, SLUICE_BOOTSTRAP_SERVERS",
        "SLUICE_PRODUCERS_BATCH_SIZE, SLUICE_PRODUCER_BATCH_SIZE",
        "SLUICE_JAVA_OPT, SLUICE_",
        "SLUICE_, SLUICE_",
    })
    void anyOtherVariableIsAProblemThatNamesTheNearest(String variable, String nearest) {
        assertThat(read(Map.of(variable, "secret"))).isEmpty();
        assertThat(problems)
                .singleElement()
                .asString()
                .startsWith("unknown environment variable " + variable + ": the nearest known name is " + nearest)
                .doesNotContain("secret");
    }

    @Test
    void whatComesFromTheEnvironmentHasAnOrder() {
        assertThat(read(Map.of("SLUICE_STATE_DIR", "/s", "SLUICE_HTTP_HOST", "h", "SLUICE_INSTANCE_ID", "i")))
                .extracting(Given::key)
                .containsExactly("http.host", "instance.id", "state.dir");
    }

    private List<Given> read(Map<String, String> environment) {
        return SettingsEnvironment.read(environment, problems::add);
    }
}
