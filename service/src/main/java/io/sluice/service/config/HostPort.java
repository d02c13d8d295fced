package io.sluice.service.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/**
 * Purpose: an address as people write it, {@code host:port} or {@code [IPv6 address]:port}.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: the host has only characters that hosts may have, an IPv6 address is one (without its brackets), and the
 * port is 1 to 65535. No name is looked up.
 */
record HostPort(String host, int port) {
    static final int MAX_PORT = 65_535;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,5}");
    private static final Pattern ZEROS = Pattern.compile("0+(\\.0+)*");

    /** @throws IllegalArgumentException saying what is wrong, as a clause about "it" */
    static HostPort parse(String text) {
        requireNoScheme(text);
        int colon = text.lastIndexOf(':');
        // In [::1] the last colon is within the brackets.
        if (colon < 0 || text.endsWith("]")) {
            throw new IllegalArgumentException("it has no port");
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
            requireHost(host);
            if (!host.contains(":")) {
                throw new IllegalArgumentException("brackets are for IPv6 addresses only");
            }
        } else if (host.contains(":")) {
            throw new IllegalArgumentException("an IPv6 address stands in brackets, as in [::1]:7878");
        } else {
            requireHost(host);
        }
        return new HostPort(host, parsePort(text.substring(colon + 1)));
    }

    /** @throws IllegalArgumentException if it is no host name and no IP address, as a clause about "it" */
    static void requireHost(String host) {
        requireNoScheme(host);
        if (host.isEmpty()) {
            throw new IllegalArgumentException("its host is empty");
        }
        if (host.contains(":")) {
            address(host);
        } else if (!host.equals("*") && !NAME.matcher(host).matches()) {
            throw new IllegalArgumentException("its host has characters that no host has");
        }
    }

    /** Whether the host stands for every address of a machine, which nobody else can connect to. */
    boolean isWildcard() {
        return host.equals("*")
                || ZEROS.matcher(host).matches()
                || host.contains(":") && address(host).isAnyLocalAddress();
    }

    private static void requireNoScheme(String text) {
        if (text.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException("it contains a blank");
        }
        if (text.contains("://")) {
            throw new IllegalArgumentException("it begins with a scheme");
        }
    }

    private static int parsePort(String text) {
        int port = DIGITS.matcher(text).matches() ? Integer.parseInt(text) : 0;
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException(
                    text.isEmpty() ? "it has no port" : "its port is not a number from 1 to " + MAX_PORT);
        }
        return port;
    }

    /** With a colon in it the text can only be an address, so nothing is looked up. */
    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("its host is no IPv6 address", e);
        }
    }
}
