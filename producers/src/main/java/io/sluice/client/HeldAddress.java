package io.sluice.client;

import io.sluice.client.RouteEvent.AddressChanged;
import io.sluice.client.RouteEvent.Unreadable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Under which address one flownode is registered, and what is told about it. As {@link HeldRoutes}, for the one record there is.
 *
 * <p>Not thread-safe. The address changes by {@link #delivered} only. The last record counts: epochs were compared when it was
 * decided to write it.
 */
final class HeldAddress {
    private String addr;
    private boolean sweeping;
    private boolean absenceProvesNothing;
    private boolean met;
    private String folded;
    private Unreadable unreadable;

    /** Null when it is not registered, as far as was told. */
    String addr() {
        return addr;
    }

    void sweepBegins() {
        sweeping = true;
        met = false;
        folded = null;
        unreadable = null;
    }

    /** The topic lost records, so from now on the address stays when a sweep does not meet it. */
    void recordsLost() {
        absenceProvesNothing = true;
    }

    List<RouteEvent> read(AddressRecord record) {
        if (sweeping) {
            fold(record);
            return List.of();
        }
        if (record instanceof AddressRecord.Broken broken) {
            return List.of(broken.report());
        }
        return changeTo(addrOf(record));
    }

    List<RouteEvent> sweepCompleted() {
        List<RouteEvent> events = new ArrayList<>();
        if (unreadable != null) {
            events.add(unreadable);
        }
        // Not met, but unreadable: it is registered somewhere.
        if (met || unreadable == null && !absenceProvesNothing) {
            events.addAll(changeTo(folded));
        }
        sweeping = false;
        return events;
    }

    void delivered(RouteEvent event) {
        if (event instanceof AddressChanged changed) {
            addr = changed.addr();
        }
    }

    private void fold(AddressRecord record) {
        if (record instanceof AddressRecord.Broken broken) {
            unreadable = broken.report();
        } else {
            met = true;
            folded = addrOf(record);
            unreadable = null;
        }
    }

    private List<RouteEvent> changeTo(String now) {
        return Objects.equals(addr, now) ? List.of() : List.of(new AddressChanged(now));
    }

    private static String addrOf(AddressRecord record) {
        return record instanceof AddressRecord.Registered registered ? registered.addr() : null;
    }
}
