package io.sluice.tests.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SchemaTopic;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flow.CreateFlow;
import io.sluice.schemas.flow.FlowCommandCodec;
import io.sluice.schemas.flow.FlowDefinition;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.FlowStatus;
import io.sluice.tests.harness.Flows;
import io.sluice.tests.harness.LocalSluice;
import io.sluice.tests.harness.Topics;
import io.sluice.topology.common.DeadLetters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writer schemas by way of their topic: what is published is found, what nobody published is certainly not there, and
 * commands of newer writers are decided (docs/behaviour.md, B-F14). Each test has schemas and flows of its own.
 */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class SchemaTopicIT {
    private static final String CATALOG = "plant";
    private static final int PARTITIONS = 4;
    private static final int PARTITION = Partitions.of(CATALOG, PARTITIONS);
    private static final int HEADER_BYTES = 10;

    @TempDir
    static Path data;

    private static LocalSluice sluice;

    @BeforeAll
    static void start() {
        sluice = LocalSluice.on(data).start();
    }

    @AfterAll
    static void stop() {
        sluice.close();
    }

    // ---- the topic

    @Test
    void aSchemaIsPublishedOnceWhoeverPublishesItAgain() {
        List<Schema> schemas = List.of(schema("Once"), schema("Twice"), schema("Twice"));
        try (SchemaTopic first = open();
                SchemaTopic second = open()) {
            first.publish(schemas);
            first.publish(schemas);
            second.publish(schemas);
            second.publish(List.of());
        }

        assertThat(publishedUnder(schema("Once"))).hasSize(1);
        assertThat(publishedUnder(schema("Twice"))).hasSize(1);
    }

    @Test
    void whatAnInstanceWritesWithIsPublishedOnceAlthoughItsPartsPublishEachByThemselves() {
        sluice.connect().close();

        assertThat(KnownSchemas.CURRENT)
                .allSatisfy(schema -> assertThat(publishedUnder(schema))
                        .as("%s", schema.getFullName())
                        .hasSize(1));
    }

    @Test
    void theKeyIsTheFingerprintAsItStandsInARecord() {
        byte[] encoded = SingleObject.encode(new io.sluice.avro.FlowNameRow(1024L));
        byte[] inTheRecord = Arrays.copyOfRange(encoded, 2, HEADER_BYTES);

        assertThat(sluice.topics().read(TopicNames.SCHEMAS))
                .filteredOn(record -> Arrays.equals(record.key(), inTheRecord))
                .singleElement()
                .satisfies(record -> assertThat(parsed(record)).isEqualTo(io.sluice.avro.FlowNameRow.getClassSchema()));
    }

    @Test
    void aSchemaThatAnotherClientPublishesLaterIsFound() {
        Schema schema = schema("Later");
        long fingerprint = KnownSchemas.fingerprint(schema);
        try (SchemaTopic reader = open();
                SchemaTopic writer = open()) {
            assertThat(reader.find(fingerprint)).as("before").isEmpty();

            writer.publish(List.of(schema));

            assertThat(reader.find(fingerprint)).contains(schema);
            assertThat(new KnownSchemas(reader).findByFingerprint(fingerprint)).isEqualTo(schema);
        }
    }

    @Test
    void whatNobodyPublishedIsCertainlyNotThere() {
        try (SchemaTopic reader = open()) {
            assertThat(reader.find(KnownSchemas.fingerprint(schema("Nobodys")))).isEmpty();
            assertThat(reader.find(0)).isEmpty();
            assertThat(reader.find(KnownSchemas.fingerprint(io.sluice.avro.CreateFlow.getClassSchema())))
                    .as("it did read")
                    .isPresent();
        }
    }

    @Test
    void withoutTheTopicNothingIsSaidAboutASchema() {
        try (SchemaTopic unreachable = new SchemaTopic(Map.of("bootstrap.servers", "127.0.0.1:" + unusedPort()))) {
            assertThatThrownBy(() -> unreachable.find(1)).isInstanceOf(TimeoutException.class);
        }
        SchemaTopic closed = open();
        closed.close();
        assertThatThrownBy(() -> closed.find(1)).isInstanceOf(TimeoutException.class);
    }

    @Test
    void garbageBetweenSchemasHidesNoneOfThem() {
        Schema before = schema("Before");
        Schema misplaced = schema("Misplaced");
        Schema victim = schema("Victim");
        Schema after = schema("After");
        String invalidDefault = """
                {"type":"record","name":"InvalidDefault","namespace":"io.sluice.test",
                 "fields":[{"name":"n","type":"long","default":"no number"}]}""";
        String nested = "{\"type\":\"array\",\"items\":".repeat(20_000) + "\"long\"" + "}".repeat(20_000);
        try (SchemaTopic writer = open();
                SchemaTopic reader = open()) {
            writer.publish(List.of(before));
            try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
                List<ProducerRecord<byte[], byte[]>> garbage = new ArrayList<>();
                garbage.add(published(keyOf(schema("NoSchema")), text("{")));
                garbage.add(published(keyOf(schema("NoJson")), new byte[] {(byte) 0xff, 0, 1}));
                garbage.add(published(keyOf(schema("Empty")), new byte[0]));
                garbage.add(published(keyOf(schema("Unknown")), text("\"io.sluice.test.NotDefined\"")));
                garbage.add(published(keyOf(schema("InvalidDefault")), text(invalidDefault)));
                garbage.add(published(keyOf(schema("Nested")), text(nested)));
                garbage.add(
                        published(new byte[] {1, 2, 3}, text(schema("ShortKey").toString())));
                garbage.add(published(new byte[0], text(schema("EmptyKey").toString())));
                // Under the key of another one: it must not be taken for that.
                garbage.add(published(keyOf(victim), text(misplaced.toString())));
                garbage.add(published(keyOf(schema("Deleted")), null));
                garbage.forEach(record -> LocalSluice.within(producer.send(record)));
            }
            writer.publish(List.of(after));

            assertThat(reader.find(KnownSchemas.fingerprint(before))).contains(before);
            assertThat(reader.find(KnownSchemas.fingerprint(after))).contains(after);
            assertThat(reader.find(KnownSchemas.fingerprint(victim))).isEmpty();
            assertThat(reader.find(KnownSchemas.fingerprint(schema("ShortKey"))))
                    .isEmpty();

            writer.publish(List.of(victim));
            assertThat(reader.find(KnownSchemas.fingerprint(victim))).contains(victim);
        }
    }

    // ---- records of newer writers

    @Test
    void aCommandOfANewerWriterWhoseSchemaWasPublishedIsDecided() {
        Schema newer = withOptionalField(io.sluice.avro.CreateFlow.getClassSchema(), "priority");
        try (SchemaTopic writer = open()) {
            writer.publish(List.of(newer));
        }

        send("newer", encodedWith(newer, create("newer", "newer"), "priority"));

        Outcome outcome = outcomeOf("newer");
        assertThat(outcome.code()).as("%s", outcome).isEqualTo(OutcomeCode.OK);
        // The next one is read locally, so its rows are there when this returns.
        assertThat(sluice.settle(Flows.comment(CATALOG, "newer-comment", "newer", "x"))
                        .flowId())
                .isEqualTo(outcome.flowId());
        assertThat(sluice.queries().flow(CATALOG, "newer").value().rawSql()).isEqualTo("S1");
        assertThat(deadLettersOf("newer")).isEmpty();
    }

    @Test
    void aCommandWhoseSchemaNobodyPublishedIsMalformedAndKeptAndTheNextIsDecided() {
        Schema unpublished = withOptionalField(io.sluice.avro.CreateFlow.getClassSchema(), "unpublished");
        byte[] value = encodedWith(unpublished, create("unknown", "unknown"), "unpublished");

        send("unknown", value);

        Outcome outcome = outcomeOf("unknown");
        assertThat(outcome.code()).isEqualTo(OutcomeCode.MALFORMED);
        assertThat(outcome.message()).contains("nor published in the schemas topic");
        assertThat(deadLettersOf("unknown")).singleElement().satisfies(letter -> {
            assertThat(letter.value()).isEqualTo(value);
            assertThat(Topics.header(letter, DeadLetters.CODE)).isEqualTo("MALFORMED");
        });
        assertThat(sluice.settle(create("unknown-next", "unknown")).isOk()).isTrue();
    }

    @Test
    void aSchemaThatIsPublishedAfterItWasMissedIsFoundForTheNextCommand() {
        Schema late = withOptionalField(io.sluice.avro.CreateFlow.getClassSchema(), "published_late");
        send("too-early", encodedWith(late, create("too-early", "late"), "published_late"));
        assertThat(outcomeOf("too-early").code()).isEqualTo(OutcomeCode.MALFORMED);

        try (SchemaTopic writer = open()) {
            writer.publish(List.of(late));
        }
        send("in-time", encodedWith(late, create("in-time", "late"), "published_late"));

        assertThat(outcomeOf("in-time").code()).isEqualTo(OutcomeCode.OK);
    }

    @Test
    void aPublishedSchemaOfAnotherRecordIsNoCommand() {
        Schema foreign = schema("Foreign");
        try (SchemaTopic writer = open()) {
            writer.publish(List.of(foreign));
        }
        GenericRecord record = new GenericData.Record(foreign);
        record.put("text", "x");

        send("foreign", encoded(record));

        assertThat(outcomeOf("foreign"))
                .extracting(Outcome::code, Outcome::commandId)
                .containsExactly(OutcomeCode.MALFORMED, "foreign");
        assertThat(outcomeOf("foreign").message()).contains("io.sluice.test.Foreign");
    }

    // ---- enums: records have one (the status), commands have texts with fixed values (the option flow_type)

    @Test
    void aStatusOfANewerWriterIsReadAsTheDefaultOnceItsSchemaIsPublished() {
        sluice.settle(create("status", "status"));
        FlowRecord flow = sluice.queries().flow(CATALOG, "status").value();
        Schema newer = withStatus(io.sluice.avro.FlowRecord.getClassSchema(), "SUSPENDED");
        byte[] bytes = withNewerStatus(newer, flow, "SUSPENDED");
        try (SchemaTopic topic = open()) {
            FlowRecordCodec codec = new FlowRecordCodec(new SingleObject(new KnownSchemas(topic)));
            assertThatThrownBy(() -> codec.decodeRecord(bytes)).isInstanceOf(UndecodableException.class);

            topic.publish(List.of(newer));

            assertThat(codec.decodeRecord(bytes)).isEqualTo(flow);
            assertThat(codec.decodeRecord(bytes).status()).isEqualTo(FlowStatus.ACTIVE);
            assertThat(codec.decodeRecord(withNewerStatus(newer, flow, "PENDING_SOURCES"))
                            .status())
                    .as("a status that this version knows")
                    .isEqualTo(FlowStatus.PENDING_SOURCES);
        }
    }

    @Test
    void anUnknownFlowTypeIsAnInvalidArgument() {
        for (String known : List.of("batching", "streaming")) {
            assertThat(sluice.settle(ofType("type-" + known, known)).code()).isEqualTo(OutcomeCode.OK);
        }
        for (String unknown : List.of("turbo", "Batching", "")) {
            Outcome outcome = sluice.settle(ofType("type-of-no-kind-" + unknown, unknown));
            assertThat(outcome.code()).as("\"%s\"", unknown).isEqualTo(OutcomeCode.INVALID_ARGUMENT);
            assertThat(outcome.message()).contains("flow_type", "batching", "streaming");
        }
    }

    // ---- helpers

    private static SchemaTopic open() {
        return new SchemaTopic(Map.of("bootstrap.servers", sluice.bootstrapServers()));
    }

    private static Schema schema(String name) {
        return SchemaBuilder.record(name)
                .namespace("io.sluice.test")
                .fields()
                .requiredString("text")
                .endRecord();
    }

    private static ProducerRecord<byte[], byte[]> published(byte[] key, byte[] value) {
        return new ProducerRecord<>(TopicNames.SCHEMAS, 0, key, value);
    }

    /** Taken from an encoded record: the library's own making of keys is what is tested. */
    private static byte[] keyOf(Schema schema) {
        GenericRecord record = new GenericData.Record(schema);
        record.put("text", "");
        return Arrays.copyOfRange(encoded(record), 2, HEADER_BYTES);
    }

    private static List<ConsumerRecord<byte[], byte[]>> publishedUnder(Schema schema) {
        return sluice.topics().read(TopicNames.SCHEMAS).stream()
                .filter(record -> record.value() != null && parses(record))
                .filter(record -> parsed(record).equals(schema))
                .toList();
    }

    private static boolean parses(ConsumerRecord<byte[], byte[]> record) {
        try {
            parsed(record);
            return true;
        } catch (RuntimeException | StackOverflowError e) {
            return false;
        }
    }

    private static Schema parsed(ConsumerRecord<byte[], byte[]> record) {
        return new Schema.Parser().parse(new String(record.value(), StandardCharsets.UTF_8));
    }

    private static CreateFlow create(String commandId, String flowName) {
        return Flows.create(CATALOG, commandId, flowName, Flows.definition("S1"));
    }

    private static CreateFlow ofType(String commandId, String flowType) {
        FlowDefinition plain = Flows.definition("S1");
        return Flows.create(
                CATALOG,
                commandId,
                commandId.replace('-', '_'),
                new FlowDefinition(
                        plain.sinkTableName(),
                        plain.sourceTableIds(),
                        plain.allSourceTableNames(),
                        plain.unresolvedSourceTableNames(),
                        plain.flowRoutes(),
                        plain.flownodeIds(),
                        plain.queryContext(),
                        plain.rawSql(),
                        plain.expireAfter(),
                        plain.evalInterval(),
                        plain.comment(),
                        new TreeMap<>(Map.of("flow_type", flowType))));
    }

    /** As a later version would have it: one more field, which may be left out. */
    private static Schema withOptionalField(Schema schema, String name) {
        List<Schema.Field> fields = copies(schema.getFields());
        Schema optional = Schema.createUnion(Schema.create(Schema.Type.NULL), Schema.create(Schema.Type.STRING));
        fields.add(new Schema.Field(name, optional, null, Schema.Field.NULL_DEFAULT_VALUE));
        return Schema.createRecord(schema.getName(), schema.getDoc(), schema.getNamespace(), false, fields);
    }

    private static Schema withStatus(Schema schema, String symbol) {
        List<Schema.Field> fields = new ArrayList<>();
        for (Schema.Field field : schema.getFields()) {
            if (!field.name().equals("status")) {
                fields.add(new Schema.Field(field, field.schema()));
                continue;
            }
            Schema status = field.schema();
            List<String> symbols = new ArrayList<>(status.getEnumSymbols());
            symbols.add(symbol);
            fields.add(new Schema.Field(
                    "status",
                    Schema.createEnum(status.getName(), null, status.getNamespace(), symbols, status.getEnumDefault()),
                    null,
                    field.defaultVal()));
        }
        return Schema.createRecord(schema.getName(), schema.getDoc(), schema.getNamespace(), false, fields);
    }

    private static List<Schema.Field> copies(List<Schema.Field> fields) {
        List<Schema.Field> copies = new ArrayList<>();
        fields.forEach(field -> copies.add(new Schema.Field(field, field.schema())));
        return copies;
    }

    private static byte[] encodedWith(Schema newer, CreateFlow create, String newField) {
        byte[] today = FlowCommandCodec.encode(create);
        GenericRecord record = copyInto(
                newer, new SingleObject(KnownSchemas.shipped()).decode(today, io.sluice.avro.CreateFlow.class));
        record.put(newField, "something that this version does not know");
        return encoded(record);
    }

    private static byte[] withNewerStatus(Schema newer, FlowRecord flow, String status) {
        byte[] today = FlowRecordCodec.encode(flow);
        GenericRecord record = copyInto(
                newer, new SingleObject(KnownSchemas.shipped()).decode(today, io.sluice.avro.FlowRecord.class));
        record.put("status", new GenericData.EnumSymbol(newer.getField("status").schema(), status));
        return encoded(record);
    }

    private static GenericRecord copyInto(Schema newer, IndexedRecord record) {
        GenericRecord copy = new GenericData.Record(newer);
        for (Schema.Field field : record.getSchema().getFields()) {
            copy.put(field.name(), record.get(field.pos()));
        }
        return copy;
    }

    private static byte[] encoded(GenericRecord record) {
        try {
            ByteBuffer buffer =
                    new BinaryMessageEncoder<GenericRecord>(GenericData.get(), record.getSchema()).encode(record);
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void send(String commandId, byte[] value) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                TopicNames.FLOW_COMMANDS, PARTITION, new CommandKey(CATALOG, commandId).encode(), value);
        record.headers().add(TopicNames.SLUICE_COMMAND_ID, text(commandId));
        try (Producer<byte[], byte[]> producer = sluice.topics().rawProducer()) {
            LocalSluice.within(producer.send(record));
        }
    }

    private static Outcome outcomeOf(String commandId) {
        await().atMost(LocalSluice.WITHIN)
                .untilAsserted(() -> assertThat(sluice.topics().outcomesOf(CATALOG, commandId))
                        .hasSize(1));
        return sluice.topics().outcomesOf(CATALOG, commandId).get(0);
    }

    private static List<ConsumerRecord<byte[], byte[]>> deadLettersOf(String commandId) {
        byte[] key = new CommandKey(CATALOG, commandId).encode();
        return sluice.topics().read(TopicNames.DEAD_LETTERS).stream()
                .filter(letter -> Arrays.equals(
                        letter.headers().lastHeader(DeadLetters.ORIGINAL_KEY).value(), key))
                .toList();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static int unusedPort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
