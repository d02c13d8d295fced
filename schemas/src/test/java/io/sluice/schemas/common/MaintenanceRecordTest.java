package io.sluice.schemas.common;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.avro.Maintenance;
import io.sluice.avro.MaintenanceKind;
import io.sluice.schemas.OtherWriter;
import io.sluice.schemas.Samples;
import io.sluice.schemas.SchemaJson;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.junit.jupiter.api.Test;

class MaintenanceRecordTest {
    @Test
    void aKindOfALaterVersionIsNotTakenForAnother() {
        Schema today = Maintenance.getClassSchema();
        ObjectNode json = SchemaJson.toJson(today);
        ((ObjectNode) SchemaJson.field(json, "kind").path("type"))
                .withArray("symbols")
                .add("LATER");
        Schema newer = SchemaJson.toSchema(json);
        byte[] bytes = OtherWriter.rewritten(
                Samples.maintenance(new MaintenanceTask.Rebuild()).encode(),
                today,
                newer,
                record -> record.put(
                        "kind",
                        new GenericData.EnumSymbol(
                                record.getSchema().getField("kind").schema(), "LATER")));

        assertThatThrownBy(() -> MaintenanceRecord.decode(OtherWriter.readerThatFinds(newer), bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("only later versions know");
    }

    @Test
    void anImportNamesItsSnapshot() {
        byte[] bytes =
                SingleObject.encode(new Maintenance("token", MaintenanceKind.IMPORT, null, "host", 1L, 2L, "user", 3L));

        assertThatThrownBy(() -> MaintenanceRecord.decode(new SingleObject(KnownSchemas.shipped()), bytes))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("which snapshot");
    }
}
