package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SchemaLookup;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flow.FlowCommand;
import io.sluice.schemas.flow.FlowCommandCodec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

/** Records of older and newer writers, and of writers nobody knows: docs/behaviour.md B-F14.1 and B-F14.2. */
class SchemaEvolutionTest {
    private static final Schema TODAY = io.sluice.avro.CreateFlow.getClassSchema();
    private static final FlowCommand COMMAND = Samples.createFlow();

    /** B-F14.1 */
    @Test
    void aRecordWrittenTodayDecodesToItsCommand() {
        FlowCommandCodec codec = new FlowCommandCodec(new SingleObject(KnownSchemas.shipped()));

        assertThat(codec.decode(FlowCommandCodec.encode(COMMAND))).isEqualTo(COMMAND);
    }

    /** B-F14.1 */
    @Test
    void aRecordWithTheContextUnderItsFormerNameDecodesToTheSameCommand() {
        Schema older = edited(json -> SchemaJson.rename(contextField(json), "query_context"));

        assertThat(codecThatFinds(older).decode(written(older, record -> {}))).isEqualTo(COMMAND);
    }

    /** B-F14.1 */
    @Test
    void aRecordWithTheContextInItsFullShapeDecodesToTheSameCommand() {
        Schema older = edited(json -> toFullShape(contextField(json)));

        assertThat(codecThatFinds(older).decode(written(older, record -> {}))).isEqualTo(COMMAND);
    }

    /** B-F14.1 */
    @Test
    void aRecordWithTheFullShapeUnderTheFormerNameDecodesToTheSameCommand() {
        Schema older = edited(json -> {
            toFullShape(contextField(json));
            SchemaJson.rename(contextField(json), "query_context");
        });

        assertThat(codecThatFinds(older).decode(written(older, record -> {}))).isEqualTo(COMMAND);
    }

    @Test
    void aRecordWrittenBeforeAFieldExistedGetsItsDefault() {
        Schema older = edited(json -> removeField(json, "who"));
        FlowCommand decoded = codecThatFinds(older).decode(written(older, record -> {}));

        assertThat(decoded.envelope().who()).isEqualTo("kafka");
    }

    /** B-F14.2 */
    @Test
    void anExtraOptionalFieldOfANewerWriterIsIgnored() {
        Schema newer = edited(json -> SchemaJson.addField(json, "priority", "[\"null\", \"long\"]", "null"));

        assertThat(codecThatFinds(newer).decode(written(newer, record -> record.put("priority", 7L))))
                .isEqualTo(COMMAND);
    }

    /** B-F14.2 */
    @Test
    void anExtraFieldInsideTheDefinitionIsIgnored() {
        Schema newer = edited(json -> {
            ObjectNode definition =
                    (ObjectNode) SchemaJson.field(json, "definition").get("type");
            SchemaJson.addField(definition, "tags", "{\"type\": \"array\", \"items\": \"string\"}", "[]");
        });

        assertThat(codecThatFinds(newer).decode(written(newer, record -> {
                    GenericRecord definition = (GenericRecord) record.get("definition");
                    Schema tags = definition.getSchema().getField("tags").schema();
                    definition.put("tags", new GenericData.Array<>(tags, Arrays.asList("a", "b")));
                })))
                .isEqualTo(COMMAND);
    }

    @Test
    void anUnknownFingerprintIsNamed() {
        Schema newer = edited(json -> SchemaJson.addField(json, "priority", "[\"null\", \"long\"]", "null"));
        byte[] bytes = written(newer, record -> {});
        FlowCommandCodec codec = new FlowCommandCodec(new SingleObject(KnownSchemas.shipped()));

        assertThatThrownBy(() -> codec.decode(bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining(HexFormat.of().toHexDigits(KnownSchemas.fingerprint(newer)));
    }

    @Test
    void aSchemaThatIsPublishedLaterIsFoundThen() {
        Schema newer = edited(json -> SchemaJson.addField(json, "priority", "[\"null\", \"long\"]", "null"));
        byte[] bytes = written(newer, record -> {});
        boolean[] published = {false};
        FlowCommandCodec codec = new FlowCommandCodec(new SingleObject(
                new KnownSchemas(fingerprint -> published[0] ? Optional.of(newer) : Optional.empty())));
        assertThatThrownBy(() -> codec.decode(bytes)).isInstanceOf(UndecodableException.class);

        published[0] = true;

        assertThat(codec.decode(bytes)).isEqualTo(COMMAND);
    }

    @Test
    void aSchemaThatWasFoundIsNotLookedUpAgain() {
        Schema newer = edited(json -> SchemaJson.addField(json, "priority", "[\"null\", \"long\"]", "null"));
        byte[] bytes = written(newer, record -> {});
        int[] lookups = {0};
        FlowCommandCodec codec = new FlowCommandCodec(new SingleObject(new KnownSchemas(fingerprint -> {
            lookups[0]++;
            return Optional.of(newer);
        })));

        codec.decode(bytes);
        codec.decode(bytes);

        assertThat(lookups[0]).isEqualTo(1);
    }

    @Test
    void aFailingLookupIsNotTakenForAMalformedRecord() {
        IllegalStateException failure = new IllegalStateException("schemas topic cannot be read");
        FlowCommandCodec codec = new FlowCommandCodec(new SingleObject(new KnownSchemas(fingerprint -> {
            throw failure;
        })));
        Schema newer = edited(json -> SchemaJson.addField(json, "priority", "[\"null\", \"long\"]", "null"));
        byte[] bytes = written(newer, record -> {});

        assertThatThrownBy(() -> codec.decode(bytes)).isSameAs(failure);
    }

    @Test
    void aSchemaPublishedUnderAForeignFingerprintIsNotUsed() {
        Schema newer = edited(json -> SchemaJson.addField(json, "priority", "[\"null\", \"long\"]", "null"));
        byte[] bytes = written(newer, record -> {});
        FlowCommandCodec codec = codecThatAnswers(fingerprint -> Optional.of(TODAY));

        assertThatThrownBy(() -> codec.decode(bytes)).isInstanceOf(UndecodableException.class);
    }

    @Test
    void aSchemaThatTodaysRecordCannotBeReadFromIsUndecodable() {
        Schema incompatible = edited(json -> removeField(json, "flow_name"));
        byte[] bytes = written(incompatible, record -> {});
        FlowCommandCodec codec = codecThatFinds(incompatible);

        assertThatThrownBy(() -> codec.decode(bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("CreateFlow");
    }

    @Test
    void aRecordOfAnotherKindIsUndecodableAndNamed() {
        FlowCommandCodec codec = new FlowCommandCodec(new SingleObject(KnownSchemas.shipped()));
        byte[] cursor = SingleObject.encode(new io.sluice.avro.CursorRow(1L, 1L));

        assertThatThrownBy(() -> codec.decode(cursor))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("io.sluice.avro.CursorRow");
    }

    private static FlowCommandCodec codecThatFinds(Schema schema) {
        return codecThatAnswers(fingerprint ->
                fingerprint == KnownSchemas.fingerprint(schema) ? Optional.of(schema) : Optional.empty());
    }

    private static FlowCommandCodec codecThatAnswers(SchemaLookup lookup) {
        return new FlowCommandCodec(new SingleObject(new KnownSchemas(lookup)));
    }

    private static Schema edited(Consumer<ObjectNode> edit) {
        ObjectNode json = SchemaJson.toJson(TODAY);
        edit.accept(json);
        Schema schema = SchemaJson.toSchema(json);
        assertThat(KnownSchemas.fingerprint(schema)).isNotEqualTo(KnownSchemas.fingerprint(TODAY));
        return schema;
    }

    private static ObjectNode contextField(ObjectNode createFlow) {
        ObjectNode definition =
                (ObjectNode) SchemaJson.field(createFlow, "definition").get("type");
        return SchemaJson.field(definition, "flow_context");
    }

    private static void toFullShape(ObjectNode contextField) {
        ObjectNode context = (ObjectNode) contextField.get("type").get(1);
        SchemaJson.rename(context, "QueryContext");
        SchemaJson.rename(SchemaJson.field(context, "catalog"), "current_catalog");
        SchemaJson.rename(SchemaJson.field(context, "schema"), "current_schema");
        // Another order of the fields: they are matched by name.
        context.withArray("fields").add(context.withArray("fields").remove(0));
    }

    private static void removeField(ObjectNode record, String name) {
        ObjectNode field = SchemaJson.field(record, name);
        for (int i = 0; i < record.withArray("fields").size(); i++) {
            if (record.withArray("fields").get(i) == field) {
                record.withArray("fields").remove(i);
                return;
            }
        }
    }

    /**
     * The command as a writer with another schema sends it. What that schema calls differently is found through its
     * aliases, which are no part of the fingerprint.
     */
    private static byte[] written(Schema writer, Consumer<GenericRecord> change) {
        return OtherWriter.rewritten(FlowCommandCodec.encode(COMMAND), TODAY, writer, change);
    }
}
