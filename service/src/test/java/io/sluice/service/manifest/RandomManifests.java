package io.sluice.service.manifest;

import static io.sluice.service.manifest.TestManifests.NOW_MS;
import static io.sluice.service.manifest.TestManifests.REGION;
import static io.sluice.service.manifest.TestManifests.create;
import static io.sluice.service.manifest.TestManifests.metadata;

import io.sluice.schemas.region.ColumnIndexes;
import io.sluice.schemas.region.ColumnMetadata;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.IndexKind;
import io.sluice.schemas.region.ManifestAction;
import io.sluice.schemas.region.ManifestAction.Change;
import io.sluice.schemas.region.ManifestAction.Edit;
import io.sluice.schemas.region.ManifestAction.PartitionExprChange;
import io.sluice.schemas.region.ManifestAction.Remove;
import io.sluice.schemas.region.ManifestAction.TruncateAll;
import io.sluice.schemas.region.ManifestAction.TruncatePartial;
import io.sluice.schemas.region.ManifestDelta;
import io.sluice.schemas.region.PrimaryKeyEncoding;
import io.sluice.schemas.region.RegionMetadata;
import io.sluice.schemas.region.SemanticType;
import io.sluice.schemas.region.SstFormat;
import io.sluice.schemas.region.TimeRange;
import io.sluice.schemas.region.Timestamp;
import io.sluice.schemas.region.TimestampUnit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;

/** Manifests of chance: everything that a field may hold, few files so that they meet again. One thread. */
final class RandomManifests {
    private static final List<String> TYPES = List.of(
            "{\"Int64\":{}}",
            "{\"Boolean\":null}",
            "{\"String\":{\"size_type\":\"Utf8\"}}",
            "{\"List\":{\"item\":{\"Float64\":{}}}}",
            "{\"Decimal128\":{\"precision\":38,\"scale\":-3}}");
    private static final List<String> DEFAULTS =
            List.of("{\"Function\":\"now()\"}", "{\"Value\":{\"Float64\":1.5E-7}}", "{\"Value\":\"Null\"}");

    private final Random random;

    RandomManifests(long seed) {
        random = new Random(seed);
    }

    /** Versions from 0, of one to three actions each. */
    List<ManifestDelta> history(int versions) {
        List<ManifestDelta> deltas = new ArrayList<>(List.of(create()));
        while (deltas.size() < versions) {
            List<ManifestAction> actions = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                actions.add(action());
            }
            deltas.add(new ManifestDelta(deltas.size(), actions));
        }
        return deltas;
    }

    ManifestAction action() {
        return switch (random.nextInt(12)) {
            case 0 ->
                new Change(
                        random.nextBoolean() ? metadata(random.nextInt(5)) : oddMetadata(),
                        random.nextBoolean() ? SstFormat.FLAT : SstFormat.PRIMARY_KEY,
                        orNull(random::nextBoolean));
            case 1 -> new PartitionExprChange(orNull(this::text));
            case 2 -> new Remove(u64());
            case 3 -> new TruncateAll(REGION, u64(), u64(), timestamp());
            case 4 -> new TruncatePartial(REGION, files(), timestamp());
            default ->
                new Edit(
                        files(),
                        random.nextBoolean() ? files() : List.of(),
                        timestamp(),
                        orNull(() -> Duration.ofSeconds(
                                random.nextLong() >>> 1 >>> random.nextInt(60), random.nextInt(1000))),
                        orNull(this::u64),
                        orNull(this::u64),
                        orNull(this::u64));
        };
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    Random random() {
        return random;
    }

    private List<FileMeta> files() {
        List<FileMeta> files = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            files.add(file());
        }
        return files;
    }

    private FileMeta file() {
        UUID id = new UUID(random.nextBoolean() ? 5 : -5, 1 + random.nextInt(6));
        return new FileMeta(
                u64(),
                id,
                new TimeRange(time(), time()),
                random.nextInt(3),
                u64(),
                u64(),
                kinds(),
                random.nextBoolean() ? List.of() : List.of(new ColumnIndexes(random.nextInt(9), kinds())),
                u64(),
                random.nextInt(4),
                u64(),
                u64(),
                orNull(() -> u64() | 1),
                orNull(() -> "{\"Expr\":" + random.nextInt() + "}"),
                u64(),
                orNull(this::base64),
                orNull(this::base64));
    }

    private RegionMetadata oddMetadata() {
        List<ColumnMetadata> columns = new ArrayList<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
            columns.add(new ColumnMetadata(
                    text(),
                    oneOf(TYPES),
                    random.nextBoolean(),
                    random.nextBoolean(),
                    orNull(() -> oneOf(DEFAULTS)),
                    random.nextBoolean() ? "{}" : "{\"z\":\"1\",\"a\":\" \\\" \"}",
                    SemanticType.values()[random.nextInt(3)],
                    random.nextInt() & 0xFFFF_FFFFL));
        }
        return new RegionMetadata(
                columns,
                List.of(random.nextInt() & 0xFFFF_FFFFL, 0L),
                u64(),
                u64(),
                PrimaryKeyEncoding.values()[random.nextInt(2)],
                orNull(this::text));
    }

    private List<IndexKind> kinds() {
        return random.nextBoolean() ? List.of() : List.of(IndexKind.values()[random.nextInt(4)], IndexKind.INVERTED);
    }

    private Timestamp time() {
        return new Timestamp(random.nextLong(), TimestampUnit.values()[random.nextInt(4)]);
    }

    private Long timestamp() {
        return orNull(() -> NOW_MS + random.nextInt());
    }

    private long u64() {
        return random.nextLong() >>> random.nextInt(64);
    }

    private String base64() {
        byte[] bytes = new byte[random.nextInt(5)];
        random.nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.appendCodePoint(
                    oneOf(List.of((int) 'a', (int) '"', (int) '\\', 0, 0x1f, 0x7f, 0xe4, 0x2028, 0x1f600)));
        }
        return text.toString();
    }

    private <T> T orNull(Supplier<T> value) {
        return random.nextInt(3) == 0 ? null : value.get();
    }

    private <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
