package io.sluice.schemas.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.avro.TimeSpan;
import io.sluice.avro.TruncateMarks;
import io.sluice.schemas.RegionSamples;
import io.sluice.schemas.Samples;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.U32;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flow.FlowCommandCodec;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegionCommandCodecTest {
    private final RegionCommandCodec codec = new RegionCommandCodec(new SingleObject(KnownSchemas.shipped()));

    static List<RegionCommand> commands() {
        return RegionSamples.allCommands();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aRegionsIdIsItsPartitionKeyInDecimal(RegionCommand command) {
        assertThat(codec.decode(RegionCommandCodec.encode(command)).envelope().partitionKey())
                .isEqualTo("18446744073709551615");
    }

    @Test
    void aCommandOfAnotherFamilyIsRefusedByName() {
        byte[] dropFlow = FlowCommandCodec.encode(Samples.dropFlow());

        assertThatThrownBy(() -> codec.decode(dropFlow))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("DropFlow")
                .hasMessageContaining("expected CreateRegion");
    }

    @ParameterizedTest
    @CsvSource({"-1", "3", "255"})
    void aLevelBeyondTheLastIsNamed(int level) {
        assertRefused(editThatAdds(file -> file.put("level", level)))
                .hasMessageContaining("level of file " + RegionSamples.HIGH_FILE + " is " + level);
    }

    @Test
    void sequenceZeroIsNamed() {
        assertRefused(editThatAdds(file -> file.put("sequence", 0L)))
                .hasMessageContaining("sequence of file " + RegionSamples.HIGH_FILE + " is 0");
    }

    @Test
    void aFileWithoutIdIsNotAdded() {
        assertRefused(editThatAdds(RegionCommandCodecTest::takeId)).hasMessageContaining("file_id is 00000000-");
    }

    @Test
    void aFileWithoutIdCanBeNamedForRemoval() {
        io.sluice.avro.FileMeta file = RegionAvro.toAvro(RegionSamples.file());
        takeId(file);
        EditRegion edit = (EditRegion) codec.decode(edit(List.of(), List.of(file), null));

        assertThat(edit.filesToRemove().get(0).fileId()).hasToString("00000000-0000-0000-0000-000000000000");
    }

    @Test
    void anIndexIsNotPublishedForAFileWithoutId() {
        io.sluice.avro.FileMeta file = RegionAvro.toAvro(RegionSamples.file());
        takeId(file);
        byte[] bytes = SingleObject.encode(
                new io.sluice.avro.PublishIndex("r-1", 1L, 0L, "kafka", file, 0L, List.of(), List.of(), 0L, 0L));

        assertRefused(bytes).hasMessageContaining("file_id");
    }

    @ParameterizedTest
    @ValueSource(strings = {"AA", "AB==", "AA==\n", "-_8=", "流"})
    void aKeyThatIsNotCanonicalBase64IsNamed(String key) {
        assertRefused(editThatAdds(file -> file.put("primary_key_max", key)))
                .hasMessageContaining("primary_key_max")
                .hasMessageContaining(key);
    }

    @Test
    void anEmptyKeyIsAKey() {
        EditRegion edit = (EditRegion) codec.decode(editThatAdds(file -> file.put("primary_key_min", "")));

        assertThat(edit.filesToAdd().get(0).primaryKeyMin()).isEmpty();
    }

    /** docs/formats.md, section 12 */
    @Test
    void anEmptyPartitionExpressionOfAFileIsNone() {
        EditRegion edit = (EditRegion) codec.decode(editThatAdds(file -> file.put("partition_expr", "")));

        assertThat(edit.filesToAdd().get(0).partitionExpr()).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, U32.MAX + 1, Long.MIN_VALUE})
    void anIndexedColumnThatIsNoU32IsNamed(long columnId) {
        io.sluice.avro.ColumnIndexes indexes = new io.sluice.avro.ColumnIndexes(columnId, List.of());

        assertRefused(editThatAdds(file -> file.put("indexes", List.of(indexes))))
                .hasMessageContaining("column_id is " + columnId);
    }

    @Test
    void anIndexKindThatNobodyKnowsIsNamed() {
        assertRefused(editThatAdds(file -> file.put("available_indexes", List.of(io.sluice.avro.IndexKind.UNKNOWN))))
                .hasMessageContaining("available_indexes is UNKNOWN")
                .hasMessageContaining("BLOOM_FILTER");
    }

    @ParameterizedTest
    @CsvSource({"-1, 0", "-9223372036854775808, 999999999", "0, -1", "0, 1000000000"})
    void aWindowThatIsNoSpanOfTimeIsNamed(long seconds, int nanos) {
        assertRefused(edit(List.of(), List.of(), new TimeSpan(seconds, nanos)))
                .hasMessageContaining("compaction_time_window")
                .hasMessageContaining(String.valueOf(seconds < 0 ? seconds : nanos));
    }

    @Test
    void aRoleThatNobodyKnowsIsNamed() {
        byte[] bytes = SingleObject.encode(
                new io.sluice.avro.SetRegionRole("r-1", 1L, 0L, "kafka", io.sluice.avro.RegionRole.UNKNOWN));

        assertRefused(bytes).hasMessageContaining("role is UNKNOWN").hasMessageContaining("LEADER, FOLLOWER");
    }

    @Test
    void aTruncateThatSaysNothingIsNamed() {
        assertRefused(truncate(null, null))
                .hasMessageContaining("0 of the fields all, file_ids, time_ranges")
                .hasMessageContaining("later versions");
    }

    @Test
    void aTruncateThatSaysTwoThingsIsNamed() {
        assertRefused(truncate(new TruncateMarks(1L, 1L), List.of())).hasMessageContaining("2 of the fields");
    }

    @Test
    void aTruncateOfNoFilesIsKept() {
        TruncateRegion truncate = (TruncateRegion) codec.decode(truncate(null, List.of()));

        assertThat(truncate.what()).isEqualTo(new TruncateRegion.What.Files(List.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "data_type, ''",
        "data_type, Int64",
        "data_type, '{} {}'",
        "data_type, '{\"Int64\":{}'",
        "data_type, '{\"Int64\":01}'",
        "default_constraint, ''",
        "default_constraint, now()",
        "metadata, ''",
        "metadata, '[]'",
        "metadata, '{\"a\":1}'",
        "metadata, '{\"a\":null}'",
        "metadata, '{\"a\":\"b\"},'"
    })
    void aColumnWithWhatIsNotTheJsonItSaysIsNamed(String field, String text) {
        assertRefused(createWithColumn(column -> column.put(field, text)))
                .hasMessageContaining(field + " of column \"at\" is \"" + text + "\"");
    }

    @Test
    void theJsonOfAColumnIsKeptAsItCame() {
        String type = " { \"Timestamp\" : {\"Second\":null} } ";
        CreateRegion create = (CreateRegion) codec.decode(createWithColumn(column -> column.put("data_type", type)));

        assertThat(create.metadata().columns().get(0).dataType()).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, U32.MAX + 1})
    void aColumnThatIsNoU32IsNamed(long columnId) {
        assertRefused(createWithColumn(column -> column.put("column_id", columnId)))
                .hasMessageContaining("column_id of \"at\" is " + columnId);
    }

    @Test
    void aColumnOfAKindThatNobodyKnowsIsNamed() {
        assertRefused(createWithColumn(column -> column.put("semantic_type", io.sluice.avro.SemanticType.UNKNOWN)))
                .hasMessageContaining("semantic_type of \"at\" is UNKNOWN")
                .hasMessageContaining("TAG, FIELD, TIMESTAMP");
    }

    @Test
    void aPrimaryKeyColumnThatIsNoU32IsNamed() {
        io.sluice.avro.RegionMetadata metadata = RegionAvro.toAvro(RegionSamples.minimalMetadata());
        metadata.put("primary_key", List.of(-1L));

        assertRefused(create(metadata)).hasMessageContaining("primary_key is -1");
    }

    /** docs/formats.md, section 13 */
    @Test
    void aPartitionExpressionThatIsExplicitlyNoneIsNotOneThatWasNeverSet() {
        io.sluice.avro.RegionMetadata metadata = RegionAvro.toAvro(RegionSamples.minimalMetadata());
        metadata.put("partition_expr", "");

        assertThat(((CreateRegion) codec.decode(create(metadata))).metadata().partitionExpr())
                .isEmpty();
    }

    private AbstractThrowableAssert<?, ?> assertRefused(byte[] bytes) {
        return assertThatThrownBy(() -> codec.decode(bytes)).isInstanceOf(UndecodableException.class);
    }

    private static byte[] editThatAdds(Consumer<io.sluice.avro.FileMeta> change) {
        io.sluice.avro.FileMeta file = RegionAvro.toAvro(RegionSamples.file());
        change.accept(file);
        return edit(List.of(file), List.of(), null);
    }

    private static byte[] edit(
            List<io.sluice.avro.FileMeta> added, List<io.sluice.avro.FileMeta> removed, TimeSpan window) {
        return SingleObject.encode(new io.sluice.avro.EditRegion("r-1", 1L, 0L, "kafka", added, removed, window));
    }

    private static byte[] truncate(TruncateMarks all, List<io.sluice.avro.FileId> files) {
        return SingleObject.encode(new io.sluice.avro.TruncateRegion("r-1", 1L, 0L, "kafka", all, files, null));
    }

    private static byte[] createWithColumn(Consumer<io.sluice.avro.ColumnMetadata> change) {
        io.sluice.avro.RegionMetadata metadata = RegionAvro.toAvro(RegionSamples.minimalMetadata());
        change.accept(metadata.getColumns().get(0));
        return create(metadata);
    }

    private static byte[] create(io.sluice.avro.RegionMetadata metadata) {
        return SingleObject.encode(new io.sluice.avro.CreateRegion(
                "r-1", 1L, 0L, "kafka", metadata, null, null, 0L, io.sluice.avro.RegionRole.LEADER));
    }

    private static void takeId(io.sluice.avro.FileMeta file) {
        file.put("file_id", new io.sluice.avro.FileId(new byte[16]));
    }
}
