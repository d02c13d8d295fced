package io.sluice.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.schemas.common.CommandFamily;
import io.sluice.schemas.common.FamilyPartition;
import io.sluice.service.json.JsonText;
import io.sluice.service.runtime.Health;
import io.sluice.service.runtime.HealthReport;
import io.sluice.service.runtime.HealthReport.Here;
import io.sluice.service.runtime.HealthReport.PartitionHealth;
import io.sluice.service.runtime.HealthReport.TopicsHealth;
import io.sluice.service.runtime.RestoreProgress;
import io.sluice.service.runtime.RestoreProgress.OfStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How an instance says how it is. */
class ServiceEndpointsTest {
    private static final PartitionHealth STANDBY = new PartitionHealth(
            new FamilyPartition(CommandFamily.FLOW, 3),
            Optional.of(new HostInfo("10.0.0.2", 7878)),
            List.of(new HostInfo("10.0.0.1", 7878)),
            Here.STANDBY,
            OptionalLong.of(2));
    private static final PartitionHealth UNKNOWN = new PartitionHealth(
            new FamilyPartition(CommandFamily.FLOWNODE, 4),
            Optional.empty(),
            List.of(),
            Here.NONE,
            OptionalLong.empty());
    private static final String PARTITIONS =
            "[{\"family\":\"flow\",\"partition\":3,\"owner\":\"10.0.0.2:7878\",\"standbys\":[\"10.0.0.1:7878\"],"
                    + "\"here\":\"standby\",\"lag\":2},"
                    + "{\"family\":\"flownode\",\"partition\":4,\"owner\":null,\"standbys\":[],\"here\":\"none\",\"lag\":null}]";

    private static final RestoreProgress RESTORING = new RestoreProgress(List.of(
            new OfStore("flow", 4, 1, 2_000, 1_000, 4_000, Duration.ofSeconds(2)),
            new OfStore("region", 2, 0, 0, 0, 10, Duration.ofSeconds(2))));
    private static final TopicsHealth TOPICS = new TopicsHealth(1, 2, Instant.parse("2026-01-01T00:00:01.5Z"));
    private static final String BROKERS = "10.0.0.1:9092,10.0.0.2:9092";

    private static HealthReport report(String broken, String notReady) {
        return report(broken, notReady, null);
    }

    private static HealthReport report(String broken, String notReady, String addressesBehind) {
        return new HealthReport(
                new Health.OfProcess("sluice-1", "run-1", Optional.ofNullable(broken)),
                Optional.ofNullable(notReady),
                List.of(STANDBY, UNKNOWN),
                Optional.ofNullable(addressesBehind),
                RESTORING,
                TOPICS);
    }

    private static Reply live(HealthReport report) {
        return new ServiceEndpoints(health(report), BROKERS, null).live(TestRequests.get("/health/live"));
    }

    private static Reply ready(HealthReport report) {
        return new ServiceEndpoints(health(report), BROKERS, null).ready(TestRequests.get("/health/ready"));
    }

    private static Health health(HealthReport report) {
        return new Health() {
            @Override
            public OfProcess process() {
                return report.process();
            }

            @Override
            public HealthReport report() {
                return report;
            }
        };
    }

    private static JsonNode json(Reply reply) {
        return JsonText.tree(reply.body());
    }

    @Test
    void installationSaysWhereTheTopicsAre() {
        ServiceEndpoints endpoints = new ServiceEndpoints(health(report(null, "starting")), BROKERS, null);

        Reply reply = endpoints.installation(TestRequests.get("/installation"));

        assertThat(new String(reply.body(), UTF_8))
                .isEqualTo("{\"application_id\":\"sluice\",\"bootstrap_servers\":\"" + BROKERS + "\"}");
    }

    @Test
    void liveSaysWhoAnswersAndNothingAboutPartitions() {
        Reply reply = live(report(null, null));

        assertThat(reply.status()).isEqualTo(200);
        assertThat(new String(reply.body(), UTF_8))
                .isEqualTo("{\"status\":\"live\",\"instance_id\":\"sluice-1\",\"incarnation\":\"run-1\"}");
    }

    @Test
    void liveAsksNoStore() {
        Health withoutStores = new Health() {
            @Override
            public OfProcess process() {
                return new OfProcess("sluice-1", "run-1", Optional.empty());
            }

            @Override
            public HealthReport report() {
                throw new IllegalStateException("a store hangs");
            }
        };

        Reply reply = new ServiceEndpoints(withoutStores, BROKERS, null).live(TestRequests.get("/health/live"));

        assertThat(reply.status()).isEqualTo(200);
    }

    @Test
    void liveIsTrueOfAnInstanceThatIsOnlyNotReady() {
        assertThat(live(report(null, "stopping")).status()).isEqualTo(200);
    }

    @Test
    void liveIsFalseOnceOnlyANewStartWouldHelpAndSaysWhy() {
        Reply reply = live(report("the disk is full", "must be started again"));

        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.contentType()).isEqualTo("application/problem+json");
        assertThat(json(reply).path("code").asText()).isEqualTo("NOT_READY");
        assertThat(json(reply).path("detail").asText()).contains("the disk is full");
    }

    @Test
    void readyListsWhatIsKnownOfEveryPartition() {
        Reply reply = ready(report(null, null));

        assertThat(reply.status()).isEqualTo(200);
        assertThat(json(reply).path("status").asText()).isEqualTo("ready");
        assertThat(json(reply).path("instance_id").asText()).isEqualTo("sluice-1");
        assertThat(json(reply).get("partitions").toString()).isEqualTo(PARTITIONS);
    }

    @Test
    void whatIsNotReadySaysWhyAndListsThemToo() {
        Reply reply = ready(report(null, "nobody is known to decide partition 4"));

        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.headers()).containsKey("Retry-After");
        assertThat(json(reply).path("detail").asText()).contains("nobody is known to decide partition 4");
        assertThat(json(reply).path("instance_id").asText()).isEqualTo("sluice-1");
        assertThat(json(reply).get("partitions").toString()).isEqualTo(PARTITIONS);
    }

    @Test
    void readySaysWhetherTheAddressesAreKnown() {
        assertThat(json(ready(report(null, null))).get("addresses")).hasToString("{\"caught_up\":true}");
        assertThat(json(ready(report(null, "the addresses are not known", "still being read")))
                        .get("addresses"))
                .hasToString("{\"caught_up\":false,\"why\":\"still being read\"}");
    }

    @Test
    void readyTellsHowFarEachStoreIsRestoredAlsoInTheRefusal() {
        String restoring = "[{\"store\":\"flow\",\"partitions\":4,\"partitions_done\":1,\"records\":2000,"
                + "\"offsets_done\":1000,\"offsets_total\":4000,\"records_per_s\":1000,\"seconds_left\":6},"
                + "{\"store\":\"region\",\"partitions\":2,\"partitions_done\":0,\"records\":0,"
                + "\"offsets_done\":0,\"offsets_total\":10,\"records_per_s\":0,\"seconds_left\":null}]";

        assertThat(json(ready(report(null, null))).get("restoring")).hasToString(restoring);
        assertThat(json(ready(report(null, "stores are being restored"))).get("restoring"))
                .hasToString(restoring);
    }

    @Test
    void readyTellsHowTheTopicsAreAndWhenTheyWereLookedAtAlsoInTheRefusal() {
        String topics = "{\"loss\":1,\"warning\":2,\"looked_at\":\"2026-01-01T00:00:01.500Z\"}";

        assertThat(json(ready(report(null, null))).get("topics")).hasToString(topics);
        assertThat(json(ready(report(null, "records could be lost"))).get("topics"))
                .hasToString(topics);
    }

    @ParameterizedTest
    @CsvSource({"ACTIVE, active", "STANDBY, standby", "MOVING, moving", "NONE, none"})
    void eachKindOfCopyIsSaidInLowerCase(Here here, String said) {
        PartitionHealth one = new PartitionHealth(
                new FamilyPartition(CommandFamily.FLOW, 0), Optional.empty(), List.of(), here, OptionalLong.empty());

        Reply reply = ready(new HealthReport(
                new Health.OfProcess("a", "b", Optional.empty()),
                Optional.empty(),
                List.of(one),
                Optional.empty(),
                RestoreProgress.NONE,
                TOPICS));

        assertThat(json(reply).at("/partitions/0/here").asText()).isEqualTo(said);
    }

    @Test
    void anIpv6AddressStandsInBrackets() {
        PartitionHealth one = new PartitionHealth(
                new FamilyPartition(CommandFamily.FLOW, 0),
                Optional.of(new HostInfo("::1", 7878)),
                List.of(),
                Here.NONE,
                OptionalLong.empty());

        Reply reply = ready(new HealthReport(
                new Health.OfProcess("a", "b", Optional.empty()),
                Optional.empty(),
                List.of(one),
                Optional.empty(),
                RestoreProgress.NONE,
                TOPICS));

        assertThat(json(reply).at("/partitions/0/owner").asText()).isEqualTo("[::1]:7878");
    }
}
