package io.sluice.benchmarks.compare;

import io.sluice.benchmarks.rival.LookUp;
import java.util.Locale;

/** What is measured, in this order: later work needs what earlier work has made. */
public enum Work {
    COLD_CREATE("the first creates after the start", Kind.CREATE, 2_000),
    CREATE_1("create a flow, 1 in flight", Kind.CREATE, 1),
    CREATE_200("create flows, 200 in flight", Kind.CREATE, 200),
    CREATE_2000("create flows, 2000 in flight", Kind.CREATE, 2_000),
    REPLACE("replace flows, both partitions move, 200 in flight", Kind.MOVE, 200),
    NAME_1("look up by name, 1 client", LookUp.NAME, 1),
    NAME_64("look up by name, 64 clients", LookUp.NAME, 64),
    ID_64("look up by id, 64 clients", LookUp.ID, 64),
    ROUTES_1("routes of a flow, 1 client", LookUp.ROUTES, 1),
    ROUTES_64("routes of a flow, 64 clients", LookUp.ROUTES, 64),
    TABLE_1("flows of a table, 1 client", LookUp.TABLE, 1),
    TABLE_64("flows of a table, 64 clients", LookUp.TABLE, 64),
    FLUSH("flush regions, 1 in flight in each", Kind.FLUSH, 0),
    WATCH("create a flow until its followers have seen it, 1 in flight", Kind.WATCH, 1);

    /** What is sent. */
    public enum Kind {
        CREATE,
        MOVE,
        LOOK_UP,
        FLUSH,
        WATCH
    }

    private final String title;
    private final Kind kind;
    private final LookUp lookUp;
    private final int inFlight;

    Work(String title, Kind kind, int inFlight) {
        this(title, kind, null, inFlight);
    }

    Work(String title, LookUp lookUp, int inFlight) {
        this(title, Kind.LOOK_UP, lookUp, inFlight);
    }

    Work(String title, Kind kind, LookUp lookUp, int inFlight) {
        this.title = title;
        this.kind = kind;
        this.lookUp = lookUp;
        this.inFlight = inFlight;
    }

    /** Its name in JSON and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** For people. */
    public String title() {
        return title;
    }

    Kind kind() {
        return kind;
    }

    LookUp lookUp() {
        return lookUp;
    }

    /** How much is kept in flight; 0 is as much as there are regions. */
    int inFlight() {
        return inFlight;
    }

    /** Whether it is sent some times before it is measured, so that compilers and caches are warm. */
    boolean isWarm() {
        return this != COLD_CREATE;
    }
}
