package io.sluice.service.client;

import java.util.ArrayList;
import java.util.List;

/**
 * Purpose: an aligned table for people: a header line in capitals, then one line per row.
 *
 * <p>Threading: one thread.
 *
 * <p>Invariants: a row has as many cells as there are columns; a cell is one line, whatever it holds; no line ends in blanks.
 */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> lines = new ArrayList<>();

    public TextTable(String... columns) {
        lines.add(List.of(columns));
    }

    /** Adds a row; cells are shown as their text. */
    public TextTable row(Object... cells) {
        if (cells.length != lines.get(0).size()) {
            throw new IllegalArgumentException(
                    cells.length + " cells for " + lines.get(0).size() + " columns");
        }
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(oneLine(String.valueOf(cell)));
        }
        lines.add(row);
        return this;
    }

    public boolean isEmpty() {
        return lines.size() == 1;
    }

    /** The lines, each with something before it. */
    public String text(String indent) {
        int[] widths = new int[lines.get(0).size()];
        for (List<String> line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], width(line.get(i)));
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder row = new StringBuilder(indent);
            for (int i = 0; i < widths.length; i++) {
                String cell = line.get(i);
                row.append(cell).append(" ".repeat(widths[i] - width(cell))).append(GAP);
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** A text as it may go to a terminal: control characters become visible instead of acting. */
    public static String oneLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == '\n') {
                line.append("\\n");
            } else if (c == '\t') {
                line.append("\\t");
            } else if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029) {
                line.append(String.format("\\u%04x", c));
            } else {
                line.appendCodePoint(c);
            }
        });
        return line.toString();
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
