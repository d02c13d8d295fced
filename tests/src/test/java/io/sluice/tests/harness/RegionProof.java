package io.sluice.tests.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.CommandKey;
import io.sluice.schemas.common.KnownSchemas;
import io.sluice.schemas.common.Outcome;
import io.sluice.schemas.common.OutcomeCode;
import io.sluice.schemas.common.OutcomeCodec;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.TopicNames;
import io.sluice.schemas.region.CompactRegion;
import io.sluice.schemas.region.EditRegion;
import io.sluice.schemas.region.FileMeta;
import io.sluice.schemas.region.FlushRegion;
import io.sluice.schemas.region.RegionCommand;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.schemas.region.RegionRecord;
import io.sluice.schemas.region.RegionState;
import io.sluice.schemas.region.RemovedFile;
import io.sluice.schemas.region.RemovedFiles;
import io.sluice.schemas.region.TruncateRegion;
import io.sluice.service.manifest.ManifestOpening;
import io.sluice.service.manifest.ManifestReader;
import io.sluice.service.query.FollowedManifest.Snapshot;
import io.sluice.service.query.RegionQueries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What must hold of regions after any history: every command has one outcome, versions are dense, a manifest holds what the accepted
 * commands made of it, and its directory says what the store says. Stateless.
 */
public final class RegionProof {
    private RegionProof() {}

    /** Every command has exactly one outcome in the topic, the one that its sender got. */
    public static void assertOneOutcomeEach(
            Topics topics, Map<CommandKey, RegionCommand> commands, Map<CommandKey, Outcome> outcomes) {
        OutcomeCodec codec = new OutcomeCodec(new SingleObject(KnownSchemas.shipped()));
        Map<CommandKey, Outcome> told = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : topics.read(TopicNames.REGION_OUTCOMES)) {
            CommandKey key = CommandKey.decode(record.key());
            Outcome outcome = codec.decode(record.value());
            Outcome before = told.putIfAbsent(key, outcome);
            if (before != null && !before.equals(outcome)) {
                wrong.add(key + ": " + before + " and " + outcome);
            }
        }
        assertThat(wrong).as("commands with two outcomes").isEmpty();
        assertThat(told.keySet()).as("commands with an outcome").containsAll(commands.keySet());
        outcomes.forEach((key, outcome) ->
                assertThat(told.get(key)).as("what the sender of %s got", key).isEqualTo(outcome));
        assertThat(topics.read(TopicNames.DEAD_LETTERS)).isEmpty();
    }

    /** The manifests that the accepted commands made, as the store has them. */
    public static Map<Long, RegionManifest> assertManifests(
            LocalSluice sluice, Map<CommandKey, RegionCommand> commands, Map<CommandKey, Outcome> outcomes) {
        Map<Long, List<CommandKey>> byRegion = new TreeMap<>();
        commands.forEach((key, command) -> byRegion.computeIfAbsent(command.regionId(), id -> new ArrayList<>())
                .add(key));
        Map<Long, RegionManifest> manifests = new TreeMap<>();
        byRegion.forEach((regionId, keys) -> {
            RegionManifest manifest = manifest(sluice, regionId);
            assertRested(sluice, regionId);
            assertVersionsAreDense(regionId, keys, outcomes, manifest);
            assertFiles(sluice, regionId, keys, commands, outcomes, manifest);
            manifests.put(regionId, manifest);
        });
        return manifests;
    }

    /** Each directory, read back, is the manifest of its region. */
    public static void assertDirectories(Path manifestsDirectory, Map<Long, RegionManifest> manifests) {
        manifests.forEach((regionId, manifest) -> {
            RegionManifest read = read(manifestsDirectory.resolve(Long.toUnsignedString(regionId)));
            assertThat(read.manifestVersion())
                    .as("version of region %s", regionId)
                    .isEqualTo(manifest.manifestVersion());
            assertThat(read).as("region %s", regionId).isEqualTo(manifest);
        });
    }

    /** What a reader of a manifest directory finds in it; nothing must be odd about it. */
    public static RegionManifest read(Path directory) {
        try {
            ManifestOpening opening = new ManifestReader(directory, new ManifestReader.Options(false, 0, null)).open();
            assertThat(opening).as(directory.toString()).isInstanceOf(ManifestOpening.Opened.class);
            assertThat(opening.findings()).as(directory.toString()).isEmpty();
            return ((ManifestOpening.Opened) opening).manifest();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static RegionManifest manifest(LocalSluice sluice, long regionId) {
        Snapshot snapshot = (Snapshot) regions(sluice).manifest(regionId).value();
        return snapshot.manifest();
    }

    public static RegionQueries regions(LocalSluice sluice) {
        return sluice.instance().service().queries().regions();
    }

    private static void assertRested(LocalSluice sluice, long regionId) {
        RegionRecord region = regions(sluice).region(regionId).value();
        assertThat(region.state()).isEqualTo(RegionState.WRITABLE);
        assertThat(region.queued()).isZero();
        assertThat(region.writeInFlight()).isNull();
    }

    private static void assertVersionsAreDense(
            long regionId, List<CommandKey> keys, Map<CommandKey, Outcome> outcomes, RegionManifest manifest) {
        List<Long> made = keys.stream()
                .map(outcomes::get)
                .filter(Outcome::applied)
                .map(Outcome::revision)
                .distinct()
                .sorted()
                .toList();
        assertThat(made)
                .as("versions of region %s", regionId)
                .isEqualTo(LongStream.rangeClosed(0, manifest.manifestVersion())
                        .boxed()
                        .toList());
    }

    /** What was accepted, in the order of its versions, gives the live files; what was refused for good is to be deleted. */
    private static void assertFiles(
            LocalSluice sluice,
            long regionId,
            List<CommandKey> keys,
            Map<CommandKey, RegionCommand> commands,
            Map<CommandKey, Outcome> outcomes,
            RegionManifest manifest) {
        Set<UUID> live = new HashSet<>();
        Set<UUID> givenUp = new HashSet<>();
        keys.stream()
                .sorted(Comparator.comparing(key -> outcomes.get(key).position().decision()))
                .forEach(key -> {
                    RegionCommand command = commands.get(key);
                    Outcome outcome = outcomes.get(key);
                    if (outcome.isOk()) {
                        apply(command, live);
                    } else if (outcome.code() != OutcomeCode.REGION_BUSY
                            && outcome.code() != OutcomeCode.REGION_NOT_FOUND) {
                        // What was given up before there was a region is forgotten with its version 0.
                        outputs(command).forEach(file -> givenUp.add(file.fileId()));
                    }
                });
        assertThat(manifest.files().keySet()).as("files of region %s", regionId).isEqualTo(live);
        Set<UUID> cleanup = new HashSet<>();
        for (RemovedFiles list : regions(sluice).removed(regionId).value().givenUp()) {
            list.files().stream().map(RemovedFile::fileId).forEach(cleanup::add);
        }
        assertThat(cleanup).as("files that region %s gave up", regionId).isEqualTo(givenUp);
    }

    private static void apply(RegionCommand command, Set<UUID> live) {
        if (command instanceof FlushRegion flush) {
            flush.filesToAdd().forEach(file -> live.add(file.fileId()));
        } else if (command instanceof CompactRegion compact) {
            compact.filesToAdd().forEach(file -> live.add(file.fileId()));
            compact.filesToRemove().forEach(file -> live.remove(file.fileId()));
        } else if (command instanceof EditRegion edit) {
            edit.filesToAdd().forEach(file -> live.add(file.fileId()));
            edit.filesToRemove().forEach(file -> live.remove(file.fileId()));
        } else if (command instanceof TruncateRegion truncate) {
            if (truncate.what() instanceof TruncateRegion.What.Files files) {
                files.fileIds().forEach(live::remove);
            } else {
                live.clear();
            }
        }
    }

    private static List<FileMeta> outputs(RegionCommand command) {
        if (command instanceof FlushRegion flush) {
            return flush.filesToAdd();
        }
        return command instanceof CompactRegion compact ? compact.filesToAdd() : List.of();
    }
}
