package io.sluice.service.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Purpose: finds TCP ports that nobody listens on, and tells whether a given one is taken.
 *
 * <p>Threading: no state; any thread.
 *
 * <p>Invariants: ports given out by one call differ. A port is free when it is looked at, which is no reservation:
 * somebody else may take it before it is used, so whoever binds it must be ready to try again with another.
 */
public final class FreePorts {
    private FreePorts() {}

    /** One free port of the loopback address. */
    public static int one() {
        return take(1).get(0);
    }

    /** The given number of different free ports of the loopback address. */
    public static List<Integer> take(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            // All are held at once, otherwise the system may hand out the same port twice.
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port could be found on the loopback address", e);
        } finally {
            sockets.forEach(FreePorts::close);
        }
    }

    /**
     * Why a port cannot be listened on.
     *
     * @param host address to listen on
     * @param port the port
     * @return what the system says, empty when the port is free
     */
    public static Optional<String> whyTaken(String host, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            // As brokers do it: a port whose last connections are still being forgotten is free.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(host, port), 1);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It never accepted anything, so there is nothing to lose.
        }
    }
}
