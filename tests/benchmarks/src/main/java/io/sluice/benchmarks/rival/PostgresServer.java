package io.sluice.benchmarks.rival;

import io.sluice.benchmarks.process.ChildProcess;
import io.sluice.benchmarks.process.Programs;
import io.sluice.service.broker.FreePorts;
import io.sluice.service.common.OpenParts;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A PostgreSQL of its own, made in a folder, alone or with a standby, and its tools. As root all of it runs as the user of Debian's
 * package, since it refuses to run as root.
 *
 * <p>Threading: one thread; connections may be made by any.
 */
final class PostgresServer implements AutoCloseable {
    static final String USER = "postgres";

    /** The database that is there from the start. */
    static final String DATABASE = "postgres";

    private static final Duration STARTS_WITHIN = Duration.ofSeconds(60);
    private static final Duration TOOLS_END_WITHIN = Duration.ofMinutes(30);

    private final Path folder;
    private final boolean synced;
    private final boolean asRoot = "root".equals(System.getProperty("user.name"));
    private final OpenParts open = new OpenParts("PostgreSQL");
    private final List<ChildProcess> processes = new ArrayList<>();
    private int port;

    /** @param synced whether commits are brought down to the disk */
    PostgresServer(Path folder, boolean synced) {
        this.folder = folder;
        this.synced = synced;
    }

    /** @param replicated whether commits have to be at a standby too */
    void start(boolean replicated) throws InterruptedException, SQLException {
        List<Integer> ports = FreePorts.take(2);
        port = ports.get(0);
        if (asRoot) {
            run("chown", List.of("chown", USER, folder.toString()));
        }
        Path data = folder.resolve("primary");
        tool("initdb", "-D", data.toString(), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C");
        serve("postgres", data, port);
        if (replicated) {
            follow(ports.get(1));
        }
    }

    private ChildProcess serve(String name, Path data, int onPort) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("-D", data.toString(), "-p", Integer.toString(onPort)));
        List<String> settings = List.of(
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "fsync=" + (synced ? "on" : "off"),
                "shared_buffers=256MB",
                "max_wal_size=4GB");
        settings.forEach(setting -> arguments.addAll(List.of("-c", setting)));
        ChildProcess server = open.add(ChildProcess.start(
                name, command("postgres", arguments), folder.resolve(name.replace(' ', '-') + ".log")));
        processes.add(server);
        server.await("answer", () -> answers(onPort), STARTS_WITHIN);
        return server;
    }

    /** A standby that has each commit in its system's memory before it is acknowledged, as a second broker has. */
    private void follow(int standbyPort) throws InterruptedException, SQLException {
        Path data = folder.resolve("standby");
        String primary = "host=127.0.0.1 port=" + port + " user=" + USER + " application_name=standby";
        tool("pg_basebackup", "-D", data.toString(), "-d", primary, "-R", "-X", "stream", "-c", "fast");
        ChildProcess standby = serve("postgres standby", data, standbyPort);
        execute("ALTER SYSTEM SET synchronous_commit = 'remote_write'");
        execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
        execute("SELECT pg_reload_conf()");
        standby.await("follow synchronously", this::isFollowed, STARTS_WITHIN);
    }

    private boolean isFollowed() {
        try (Connection connection = connect(port);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'")) {
            return rows.next();
        } catch (SQLException e) {
            return false;
        }
    }

    private static boolean answers(int port) {
        try (Connection connection = connect(port)) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    /** A connection to the database that is there from the start. */
    Connection connect() throws SQLException {
        return connect(port);
    }

    private static Connection connect(int port) throws SQLException {
        return DriverManager.getConnection(url(port, DATABASE), USER, "");
    }

    String url(String database) {
        return url(port, database);
    }

    /** Statements are prepared on the server from the first time on: they are the same all along. */
    private static String url(int port, String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?prepareThreshold=1";
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Runs a program of PostgreSQL that connects to this server. */
    void client(String program, String... arguments) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("-h", "127.0.0.1", "-p", Integer.toString(port), "-U", USER));
        all.addAll(List.of(arguments));
        run(program, command(program, all));
    }

    private void tool(String program, String... arguments) throws InterruptedException {
        run(program, command(program, List.of(arguments)));
    }

    private List<String> command(String program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (asRoot) {
            command.addAll(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--init-groups"));
        }
        command.add(Programs.findPostgres(program).orElseThrow().toString());
        command.addAll(arguments);
        return command;
    }

    private void run(String name, List<String> command) throws InterruptedException {
        ChildProcess.run(name, command, folder.resolve(name + ".log"), TOOLS_END_WITHIN);
    }

    List<ChildProcess> processes() {
        return List.copyOf(processes);
    }

    @Override
    public void close() {
        open.close();
    }
}
