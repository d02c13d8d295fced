package io.sluice.benchmarks.rival;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.sluice.benchmarks.process.ChildProcess;
import io.sluice.benchmarks.process.Usage;
import io.sluice.schemas.flow.FlowRecord;
import io.sluice.schemas.flow.Peer;
import io.sluice.service.bench.BenchFlows;
import io.sluice.service.common.DaemonThreads;
import io.sluice.service.common.OpenParts;
import io.sluice.service.json.FlowInfoJson;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongConsumer;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * PostgreSQL with a table for each family of keys, each change one statement, and so one round trip and one transaction.
 *
 * <p>Threading as {@link Rival}; statements run on as many threads as there are connections.
 */
final class PostgresRival implements Rival {
    private static final int CONNECTIONS = 32;
    private static final int LISTEN_MS = 1_000;
    private static final String CHANNEL = "routes";
    private static final String RESTORED = "restored";

    private static final List<String> TABLES = List.of(
            "CREATE TABLE flow_info (flow_id bigint PRIMARY KEY, info text NOT NULL)",
            "CREATE TABLE flow_name (catalog text, flow_name text, flow_id bigint NOT NULL UNIQUE,"
                    + " PRIMARY KEY (catalog, flow_name))",
            "CREATE TABLE flow_route (flow_id bigint, partition_id bigint, flownode_id bigint NOT NULL, addr text NOT"
                    + " NULL, PRIMARY KEY (flow_id, partition_id))",
            "CREATE TABLE flownode_flow (flownode_id bigint, flow_id bigint, partition_id bigint,"
                    + " PRIMARY KEY (flownode_id, flow_id, partition_id))",
            "CREATE TABLE source_table (table_id bigint, flownode_id bigint, flow_id bigint, partition_id bigint,"
                    + " addr text NOT NULL, PRIMARY KEY (table_id, flownode_id, flow_id, partition_id))",
            "CREATE TABLE region (region_id bigint PRIMARY KEY, version bigint NOT NULL)",
            "CREATE TABLE region_delta (region_id bigint, version bigint, action bytea NOT NULL,"
                    + " PRIMARY KEY (region_id, version))");

    /** Routes are partitions, flownodes and addresses; each reads the same tables. */
    private static final String CREATE =
            "WITH r AS (SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::text[]) r(p, f, a)),"
                    + " i AS (INSERT INTO flow_info VALUES (?, ?) RETURNING flow_id),"
                    + " n AS (INSERT INTO flow_name SELECT ?, ?, flow_id FROM i),"
                    + " w AS (INSERT INTO flow_route SELECT flow_id, p, f, a FROM i, r),"
                    + " o AS (INSERT INTO flownode_flow SELECT f, flow_id, p FROM i, r),"
                    + " s AS (INSERT INTO source_table SELECT t, f, flow_id, p, a FROM i, r, unnest(?::bigint[]) t)"
                    + " SELECT CASE WHEN ? THEN pg_notify('" + CHANNEL
                    + "', f || '/' || flow_id || '/' || p) END FROM i, r";

    /** The last column of the routes is where each partition ran before. */
    private static final String MOVE =
            "WITH r AS (SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::text[], ?::bigint[]) r(p, f, a, b)),"
                    + " i AS (UPDATE flow_info SET info = ? WHERE flow_id = ? RETURNING flow_id),"
                    + " w AS (UPDATE flow_route t SET flownode_id = f, addr = a FROM i, r"
                    + "  WHERE t.flow_id = i.flow_id AND t.partition_id = p),"
                    + " o AS (UPDATE flownode_flow t SET flownode_id = f FROM i, r"
                    + "  WHERE t.flownode_id = b AND t.flow_id = i.flow_id AND t.partition_id = p),"
                    + " s AS (UPDATE source_table t SET flownode_id = f, addr = a FROM i, r, unnest(?::bigint[]) x"
                    + "  WHERE t.table_id = x AND t.flownode_id = b AND t.flow_id = i.flow_id AND t.partition_id = p)"
                    + " SELECT 1 FROM i, r";

    private static final String ADVANCE = "WITH v AS (UPDATE region SET version = ? WHERE region_id = ? AND version = ?"
            + " RETURNING region_id, version) INSERT INTO region_delta SELECT region_id, version, ? FROM v RETURNING 1";

    private final Path folder;
    private final boolean replicated;
    private final PostgresServer server;
    private final RivalFlows flows = new RivalFlows();
    private final OpenParts open = new OpenParts("PostgreSQL");
    private final ExecutorService workers = Executors.newFixedThreadPool(CONNECTIONS, DaemonThreads.named("postgres"));
    private HikariDataSource pool;
    private RivalRegions regions;
    private volatile boolean followed;

    /**
     * @param synced whether commits are brought down to the disk
     * @param replicated whether they have to be at a standby too
     */
    PostgresRival(Path folder, boolean synced, boolean replicated) {
        this.folder = folder;
        this.replicated = replicated;
        this.server = open.add(new PostgresServer(folder, synced));
    }

    @Override
    public void start() throws Exception {
        server.start(replicated);
        for (String table : TABLES) {
            server.execute(table);
        }
        pool = open.add(pool(PostgresServer.DATABASE));
    }

    @Override
    public CompletableFuture<?> create(long number) {
        FlowRecord flow = flows.record(number, 0);
        return run(connection -> {
            try (PreparedStatement create = connection.prepareStatement(CREATE)) {
                setRoutes(connection, create, flow);
                create.setLong(4, flow.flowId());
                create.setString(5, info(flow));
                create.setString(6, flow.catalog());
                create.setString(7, flow.flowName());
                create.setArray(
                        8,
                        connection.createArrayOf("bigint", flow.sourceTableIds().toArray()));
                create.setBoolean(9, followed);
                requireRows(create, BenchFlows.PARTITIONS);
            }
        });
    }

    @Override
    public CompletableFuture<?> move(long number, long moves) {
        FlowRecord before = flows.record(number, moves - 1);
        FlowRecord after = flows.record(number, moves);
        return run(connection -> {
            try (PreparedStatement move = connection.prepareStatement(MOVE)) {
                setRoutes(connection, move, after);
                move.setArray(
                        4,
                        connection.createArrayOf(
                                "bigint",
                                before.routes().values().stream().map(Peer::id).toArray()));
                move.setString(5, info(after));
                move.setLong(6, after.flowId());
                move.setArray(
                        7,
                        connection.createArrayOf(
                                "bigint", after.sourceTableIds().toArray()));
                requireRows(move, BenchFlows.PARTITIONS);
            }
        });
    }

    private static void setRoutes(Connection connection, PreparedStatement statement, FlowRecord flow)
            throws SQLException {
        statement.setArray(
                1, connection.createArrayOf("bigint", flow.routes().keySet().toArray()));
        statement.setArray(
                2,
                connection.createArrayOf(
                        "bigint", flow.routes().values().stream().map(Peer::id).toArray()));
        statement.setArray(
                3,
                connection.createArrayOf(
                        "text", flow.routes().values().stream().map(Peer::addr).toArray()));
    }

    private static String info(FlowRecord flow) {
        return new String(FlowInfoJson.write(flow), StandardCharsets.UTF_8);
    }

    @Override
    public CompletableFuture<?> lookUp(LookUp what, long number) {
        return switch (what) {
            case NAME ->
                run(connection -> {
                    try (PreparedStatement select = connection.prepareStatement(
                            "SELECT flow_id, info FROM flow_name JOIN flow_info USING (flow_id)"
                                    + " WHERE catalog = ? AND flow_name = ?")) {
                        select.setString(1, flows.catalog(number));
                        select.setString(2, flows.flowName(number));
                        requireRows(select, 1);
                    }
                });
            case ID -> select("SELECT info FROM flow_info WHERE flow_id = ?", flows.flowId(number), 1);
            case ROUTES ->
                select(
                        "SELECT partition_id, flownode_id, addr FROM flow_route WHERE flow_id = ? ORDER BY"
                                + " partition_id",
                        flows.flowId(number),
                        BenchFlows.PARTITIONS);
            case TABLE ->
                select(
                        "SELECT flow_id, partition_id, flownode_id, addr FROM source_table WHERE table_id = ?",
                        flows.firstTable(number),
                        BenchFlows.PARTITIONS);
        };
    }

    private CompletableFuture<?> select(String sql, long key, int leastRows) {
        return run(connection -> {
            try (PreparedStatement select = connection.prepareStatement(sql)) {
                select.setLong(1, key);
                requireRows(select, leastRows);
            }
        });
    }

    @Override
    public void createRegions(int count) throws Exception {
        regions = open.add(RivalRegions.create(folder.resolve("manifests"), count, this::advance));
    }

    private CompletableFuture<?> advance(long regionId, long version, byte[] action) {
        return run(connection -> {
            if (version == 0) {
                try (PreparedStatement insert = connection.prepareStatement("INSERT INTO region VALUES (?, 0)")) {
                    insert.setLong(1, regionId);
                    insert.executeUpdate();
                }
                return;
            }
            try (PreparedStatement update = connection.prepareStatement(ADVANCE)) {
                update.setLong(1, version);
                update.setLong(2, regionId);
                update.setLong(3, version - 1);
                update.setBytes(4, action);
                requireRows(update, 1);
            }
        });
    }

    @Override
    public CompletableFuture<?> flush(long number) {
        return regions.flush(number);
    }

    /** One connection that listens; whoever creates a flow notifies it. */
    @Override
    public AutoCloseable follow(LongConsumer seen) throws SQLException {
        Connection connection = server.connect();
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN " + CHANNEL);
        }
        followed = true;
        Thread listener = DaemonThreads.named("postgres-listener").newThread(() -> listen(connection, seen));
        listener.start();
        return () -> {
            followed = false;
            listener.interrupt();
            connection.close();
            listener.join();
        };
    }

    private void listen(Connection connection, LongConsumer seen) {
        try {
            PGConnection notified = connection.unwrap(PGConnection.class);
            while (followed) {
                PGNotification[] told = notified.getNotifications(LISTEN_MS);
                if (told != null) {
                    for (PGNotification one : told) {
                        seen.accept(
                                flows.number(Long.parseLong(one.getParameter().split("/")[1])));
                    }
                }
            }
        } catch (SQLException e) {
            // Closed by whoever followed: what was not seen fails there.
        }
    }

    /** A dump, restored into an empty database, and every index compared with its table. */
    @Override
    public Restored restore(long count) throws Exception {
        start();
        Loading.load(this, count);
        Path dump = folder.resolve("dump");
        server.client("pg_dump", "-Fc", "-f", dump.toString(), PostgresServer.DATABASE);
        server.execute("CREATE DATABASE " + RESTORED);

        long startNanos = System.nanoTime();
        server.client("pg_restore", "-j", "2", "-d", RESTORED, dump.toString());
        pool.close();
        pool = open.add(pool(RESTORED));
        lookUp(LookUp.ID, count - 1).get();
        double restoreSeconds = (System.nanoTime() - startNanos) / 1e9;
        Map<String, Usage> used = Usage.ofEach(server.processes());

        long verifyNanos = System.nanoTime();
        server.client("pg_amcheck", "--install-missing", "--heapallindexed", "-j", "2", RESTORED);
        double verifySeconds = (System.nanoTime() - verifyNanos) / 1e9;
        FlowRecord one = flows.record(0, 0);
        long rowsPerFlow = 2 + one.routes().size() * (2L + one.sourceTableIds().size());
        return new Restored(
                count,
                count * rowsPerFlow,
                restoreSeconds,
                verifySeconds,
                "pg_restore of a dump, two jobs; verified by pg_amcheck --heapallindexed",
                used);
    }

    @Override
    public List<ChildProcess> processes() {
        return server.processes();
    }

    @Override
    public void close() {
        workers.shutdownNow();
        open.close();
    }

    /** Something that is done with a connection. */
    @FunctionalInterface
    private interface Task {
        void run(Connection connection) throws SQLException;
    }

    private CompletableFuture<?> run(Task task) {
        return CompletableFuture.runAsync(
                () -> {
                    try (Connection connection = pool.getConnection()) {
                        task.run(connection);
                    } catch (SQLException e) {
                        throw new CompletionException(e);
                    }
                },
                workers);
    }

    private static void requireRows(PreparedStatement statement, int least) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            int found = 0;
            while (rows.next()) {
                found++;
            }
            if (found < least) {
                throw new SQLException("found " + found + " rows, not " + least);
            }
        }
    }

    private HikariDataSource pool(String database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.url(database));
        config.setUsername(PostgresServer.USER);
        config.setMaximumPoolSize(CONNECTIONS);
        return new HikariDataSource(config);
    }
}
