package io.sluice.benchmarks.rival;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.options.WatchOption;
import io.sluice.benchmarks.process.ChildProcess;
import io.sluice.benchmarks.process.Programs;
import io.sluice.benchmarks.process.Usage;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.service.bench.BenchFlows;
import io.sluice.service.broker.FreePorts;
import io.sluice.service.common.OpenParts;
import io.sluice.service.greptime.FlowKeyValues;
import io.sluice.state.flow.FlowTextKey;
import io.sluice.state.flow.FlowTextKeys;
import io.sluice.state.flow.FlowTextKeys.Layout;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * etcd with the keys and values of GreptimeDB: each change is one transaction that compares name and info.
 *
 * <p>Threading as {@link Rival}.
 */
final class EtcdRival implements Rival {
    private static final Duration STARTS_WITHIN = Duration.ofSeconds(60);
    private static final Duration RESTORES_WITHIN = Duration.ofMinutes(10);
    private static final long QUOTA_BYTES = 8L << 30;
    private static final long ASKED_WITHIN_SECS = 1;
    private static final String FLOWNODES = "__flow/flownode/";

    private final Path folder;
    private final int members;
    private final boolean synced;
    private final RivalFlows flows = new RivalFlows();
    private final OpenParts open = new OpenParts("etcd");
    private final List<ChildProcess> processes = new ArrayList<>();
    private List<URI> endpoints = List.of();
    private Client client;
    private KV kv;
    private RivalRegions regions;

    /** @param synced whether writes are brought down to the disk */
    EtcdRival(Path folder, int members, boolean synced) {
        this.folder = folder;
        this.members = members;
        this.synced = synced;
    }

    @Override
    public void start() throws Exception {
        start("data");
    }

    private void start(String data) throws Exception {
        List<Integer> ports = FreePorts.take(2 * members);
        String cluster = String.join(
                ",",
                IntStream.range(0, members)
                        .mapToObj(i -> "m" + i + "=" + url(ports.get(members + i)))
                        .toList());
        endpoints = ports.subList(0, members).stream().map(EtcdRival::url).toList();
        processes.clear();
        for (int i = 0; i < members; i++) {
            String peer = url(ports.get(members + i)).toString();
            List<String> command = new ArrayList<>(List.of(
                    Programs.find("etcd").orElseThrow().toString(),
                    "--name=m" + i,
                    "--data-dir=" + folder.resolve(data + i),
                    "--listen-client-urls=" + endpoints.get(i),
                    "--advertise-client-urls=" + endpoints.get(i),
                    "--listen-peer-urls=" + peer,
                    "--initial-advertise-peer-urls=" + peer,
                    "--initial-cluster=" + cluster,
                    "--quota-backend-bytes=" + QUOTA_BYTES,
                    "--logger=zap",
                    "--log-level=warn"));
            if (!synced) {
                command.add("--unsafe-no-fsync");
            }
            processes.add(open.add(
                    ChildProcess.start("etcd " + (i + 1), command, folder.resolve("etcd-" + data + i + ".log"))));
        }
        client = open.add(
                Client.builder().endpoints(endpoints).waitForReady(true).build());
        kv = client.getKVClient();
        processes.get(0).await("answer", this::answers, STARTS_WITHIN);
    }

    private boolean answers() {
        try {
            kv.get(bytes("started")).get(ASKED_WITHIN_SECS, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public CompletableFuture<?> create(long number) {
        FlowRecord flow = flows.record(number, 0);
        List<Op> puts = new ArrayList<>();
        keyValues(flow).forEach((key, value) -> puts.add(put(key, value)));
        return kv.txn()
                .If(isMissing(nameKey(number)), isMissing(infoKey(number)))
                .Then(puts.toArray(new Op[0]))
                .commit()
                .thenAccept(EtcdRival::requireDone);
    }

    /** Reads name and info first, as whoever knows the name only has to, and compares both. */
    @Override
    public CompletableFuture<?> move(long number, long moves) {
        ByteSequence name = nameKey(number);
        ByteSequence info = infoKey(number);
        return kv.txn()
                .Then(Op.get(name, GetOption.DEFAULT), Op.get(info, GetOption.DEFAULT))
                .commit()
                .thenCompose(read -> kv.txn()
                        .If(
                                isAt(name, revision(read.getGetResponses().get(0))),
                                isAt(info, revision(read.getGetResponses().get(1))))
                        .Then(changes(number, moves))
                        .commit())
                .thenAccept(EtcdRival::requireDone);
    }

    private Op[] changes(long number, long moves) {
        Map<String, byte[]> before = keyValues(flows.record(number, moves - 1));
        Map<String, byte[]> after = keyValues(flows.record(number, moves));
        List<Op> changes = new ArrayList<>();
        before.keySet().stream()
                .filter(key -> !after.containsKey(key))
                .forEach(key -> changes.add(Op.delete(bytes(key), DeleteOption.DEFAULT)));
        after.forEach((key, value) -> {
            // The name stays as it is.
            if (!Arrays.equals(value, before.get(key))) {
                changes.add(put(key, value));
            }
        });
        return changes.toArray(new Op[0]);
    }

    @Override
    public CompletableFuture<?> lookUp(LookUp what, long number) {
        return switch (what) {
            case NAME ->
                kv.get(nameKey(number))
                        .thenCompose(name -> kv.get(infoKey(number)))
                        .thenAccept(found -> requireCount(found, 1));
            case ID -> kv.get(infoKey(number)).thenAccept(found -> requireCount(found, 1));
            case ROUTES ->
                prefixed("__flow/route/" + flows.flowId(number) + "/")
                        .thenAccept(found -> requireCount(found, BenchFlows.PARTITIONS));
            case TABLE ->
                prefixed("__flow/source_table/" + flows.firstTable(number) + "/")
                        .thenAccept(found -> requireCount(found, BenchFlows.PARTITIONS));
        };
    }

    private CompletableFuture<GetResponse> prefixed(String prefix) {
        return kv.get(bytes(prefix), GetOption.builder().isPrefix(true).build());
    }

    @Override
    public void createRegions(int count) throws Exception {
        regions = open.add(RivalRegions.create(folder.resolve("manifests"), count, this::advance));
    }

    private CompletableFuture<?> advance(long regionId, long version, byte[] action) {
        String prefix = "__region/" + Long.toUnsignedString(regionId);
        ByteSequence manifest = bytes(prefix + "/manifest");
        return kv.txn()
                .If(
                        version == 0
                                ? isMissing(manifest)
                                : new Cmp(manifest, Cmp.Op.EQUAL, CmpTarget.value(bytes(Long.toString(version - 1)))))
                .Then(
                        Op.put(manifest, bytes(Long.toString(version)), PutOption.DEFAULT),
                        put(prefix + "/delta/" + version, action))
                .commit()
                .thenAccept(EtcdRival::requireDone);
    }

    @Override
    public CompletableFuture<?> flush(long number) {
        return regions.flush(number);
    }

    /** A watch for each flownode. */
    @Override
    public AutoCloseable follow(LongConsumer seen) {
        OpenParts watchers = new OpenParts("watches");
        for (int flownode = 0; flownode <= BenchFlows.FLOWNODES; flownode++) {
            watchers.add(client.getWatchClient()
                    .watch(
                            bytes(FLOWNODES + flownode + "/"),
                            WatchOption.builder()
                                    .isPrefix(true)
                                    .withNoDelete(true)
                                    .build(),
                            told -> told.getEvents().forEach(event -> seen.accept(number(event.getKeyValue())))));
        }
        return watchers;
    }

    private long number(KeyValue of) {
        FlowTextKey.Flownode key =
                (FlowTextKey.Flownode) FlowTextKeys.decode(of.getKey().toString(StandardCharsets.UTF_8), Layout.FLOW);
        return flows.number(key.flowId());
    }

    /** The snapshot of etcd, restored into an empty member, and the hash over all keys there. */
    @Override
    public Restored restore(long count) throws Exception {
        start("before");
        Loading.load(this, count);
        Path snapshot = folder.resolve("snapshot.db");
        try (OutputStream out = Files.newOutputStream(snapshot)) {
            client.getMaintenanceClient().snapshot(out).get();
        }
        client.close();
        processes.get(0).close();

        long startNanos = System.nanoTime();
        ChildProcess.run(
                "etcdctl snapshot restore",
                List.of(
                        "env",
                        "ETCDCTL_API=3",
                        Programs.find("etcdctl").orElseThrow().toString(),
                        "snapshot",
                        "restore",
                        snapshot.toString(),
                        "--data-dir=" + folder.resolve("after0"),
                        "--name=m0",
                        "--initial-cluster=m0=http://127.0.0.1:2380",
                        "--initial-advertise-peer-urls=http://127.0.0.1:2380"),
                folder.resolve("restore.log"),
                RESTORES_WITHIN);
        start("after");
        lookUp(LookUp.ID, count - 1).get();
        double restoreSeconds = (System.nanoTime() - startNanos) / 1e9;
        Map<String, Usage> used = Usage.ofEach(processes);

        long verifyNanos = System.nanoTime();
        client.getMaintenanceClient().hashKV(endpoints.get(0).toString(), 0).get();
        double verifySeconds = (System.nanoTime() - verifyNanos) / 1e9;
        return new Restored(
                count,
                count * keyValues(flows.record(0, 0)).size(),
                restoreSeconds,
                verifySeconds,
                "etcdctl snapshot restore and a start; verified by the hash over all keys",
                used);
    }

    @Override
    public List<ChildProcess> processes() {
        return List.copyOf(processes);
    }

    @Override
    public void close() {
        open.close();
    }

    private static Map<String, byte[]> keyValues(FlowRecord flow) {
        Map<String, byte[]> rows = new HashMap<>();
        FlowKeyValues.of(flow, flow.flowId(), Layout.FLOW, rows::put);
        return rows;
    }

    private ByteSequence nameKey(long number) {
        return bytes(
                FlowTextKeys.encode(new FlowTextKey.Name(flows.catalog(number), flows.flowName(number)), Layout.FLOW));
    }

    private ByteSequence infoKey(long number) {
        return bytes(
                FlowTextKeys.encode(new FlowTextKey.Info(flows.catalog(number), flows.flowId(number)), Layout.FLOW));
    }

    private static Op put(String key, byte[] value) {
        return Op.put(bytes(key), ByteSequence.from(value), PutOption.DEFAULT);
    }

    private static Cmp isMissing(ByteSequence key) {
        return isAt(key, 0);
    }

    private static Cmp isAt(ByteSequence key, long revision) {
        return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(revision));
    }

    private static long revision(GetResponse found) {
        requireCount(found, 1);
        return found.getKvs().get(0).getModRevision();
    }

    private static void requireDone(TxnResponse answer) {
        if (!answer.isSucceeded()) {
            throw new IllegalStateException("the transaction was refused");
        }
    }

    private static void requireCount(GetResponse found, int least) {
        if (found.getKvs().size() < least) {
            throw new IllegalStateException("found " + found.getKvs().size() + " keys, not " + least);
        }
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    private static URI url(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }
}
