package io.sluice.service.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.region.ManifestReport;
import io.sluice.schemas.region.ManifestReport.ManifestWriteFailed;
import io.sluice.schemas.region.ManifestReport.ManifestWritten;
import io.sluice.schemas.region.ManifestReportCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class ReportTopicTest {
    private static final long ABOVE_SIGNED = -2;

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final ReportTopic topic = new ReportTopic(producer, regionId -> 3);
    private final List<Exception> failures = new ArrayList<>();

    @Test
    void aReportLiesInThePartitionOfItsRegionUnderItsId() {
        List<ManifestReport> reports = List.of(
                new ManifestWritten(ABOVE_SIGNED, "c1", 7), new ManifestWriteFailed(ABOVE_SIGNED, "c2", 8, "no space"));
        reports.forEach(report -> topic.send(report, failures::add));

        ManifestReportCodec codec = new ManifestReportCodec(DecidedRegions.SINGLE_OBJECT);
        assertThat(producer.history()).allSatisfy(row -> {
            assertThat(row.topic()).isEqualTo("sluice.region.reports");
            assertThat(row.partition()).isEqualTo(3);
            assertThat(new String(row.key(), StandardCharsets.UTF_8)).isEqualTo("18446744073709551614");
        });
        assertThat(producer.history().stream().map(ProducerRecord::value).map(codec::decode))
                .containsExactlyElementsOf(reports);
    }

    @Test
    void whetherItArrivedIsTold() {
        topic.send(new ManifestWritten(1, "c1", 7), failures::add);
        topic.send(new ManifestWritten(1, "c2", 8), failures::add);
        producer.completeNext();
        assertThat(failures).isEmpty();
        producer.errorNext(new TimeoutException("too late"));
        assertThat(failures).singleElement().isInstanceOf(TimeoutException.class);
    }

    @Test
    void afterTheEndNothingArrives() {
        topic.close();
        topic.send(new ManifestWritten(1, "c1", 7), failures::add);
        assertThat(failures).hasSize(1);
    }
}
