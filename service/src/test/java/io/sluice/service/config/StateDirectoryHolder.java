package io.sluice.service.config;

import java.io.IOException;
import java.nio.file.Path;

/** Claims a folder in a process of its own, says so, and holds it until its input ends. */
final class StateDirectoryHolder {
    private StateDirectoryHolder() {}

    public static void main(String[] args) throws IOException {
        try (StateDirectory claimed = StateDirectory.claim(Path.of(args[0]), existing -> "ext4")) {
            System.out.println("claimed " + claimed.path());
            while (System.in.read() >= 0) {
                // Nothing is said to it.
            }
        }
    }
}
