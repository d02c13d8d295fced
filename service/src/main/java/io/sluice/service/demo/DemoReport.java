package io.sluice.service.demo;

import io.sluice.service.client.TextTable;
import java.io.PrintWriter;
import java.util.Objects;

/**
 * Purpose: what the demo shows, and whether what it claims is so.
 *
 * <p>Threading: one thread.
 *
 * <p>Invariant: a claim that does not hold is printed where it is found, with what was expected, and is not forgotten.
 */
final class DemoReport {
    private static final String INDENT = "   ";
    private static final int TEXT_WIDTH = 100;

    private final PrintWriter out;
    private int steps;
    private int claims;
    private int broken;

    DemoReport(PrintWriter out) {
        this.out = out;
    }

    /** Begins the next step. */
    void step(String title) {
        steps++;
        out.println();
        out.println(steps + ". " + title);
        out.flush();
    }

    void line(String text) {
        out.println(text.isEmpty() ? "" : INDENT + text);
        out.flush();
    }

    /** A text of any length, below the line before it. */
    void text(String text) {
        StringBuilder line = new StringBuilder();
        for (String word : TextTable.oneLine(text).split(" ")) {
            if (line.length() > 0 && line.length() + word.length() >= TEXT_WIDTH) {
                line("   " + line);
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        line("   " + line);
    }

    void table(TextTable table) {
        out.print(table.text(INDENT));
        out.flush();
    }

    /** Claims that two values are equal. */
    boolean check(String what, Object expected, Object found) {
        claims++;
        if (Objects.equals(expected, found)) {
            return true;
        }
        broken++;
        line("DIFFERS: " + what);
        line("  expected " + expected);
        line("  found    " + found);
        return false;
    }

    int steps() {
        return steps;
    }

    int claims() {
        return claims;
    }

    int broken() {
        return broken;
    }
}
