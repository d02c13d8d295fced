package io.sluice.state.flow;

import io.sluice.schemas.common.Names;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U32;
import io.sluice.state.common.KeyWriter;
import io.sluice.state.common.Keys;
import io.sluice.state.common.NoncanonicalKeyException;
import io.sluice.state.common.RowScanner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The canonical text of flow keys, for people, import and export (docs/formats.md 4.1, 5.1, 5.4). Stateless.
 *
 * <p>Invariant: {@link #encode} and {@link #decode} are inverses, and each refuses what the other does not know: a
 * number has one spelling (decimal, no sign, no leading zero), a catalog matches the name pattern, a flow name is
 * anything but empty or text with a line break (LF or CR).
 *
 * <p>In layout {@code FLOW} the info, route, flownode and source_table keys carry no catalog: encoding drops it,
 * decoding answers null for it. So keys of two catalogs can be the same text there; {@code FLOW_TASK} keeps them apart.
 */
public final class FlowTextKeys {
    private static final String FLOWNODE_ID = "flownode_id";

    /** The numbers that follow a family's label, in order. All are u32 but the flownode's id, which is a u64. */
    private static final Map<FlowKeyFamily, List<String>> NUMBERS = Map.of(
            FlowKeyFamily.INFO, List.of("flow_id"),
            FlowKeyFamily.ROUTE, List.of("flow_id", "partition_id"),
            FlowKeyFamily.FLOWNODE, List.of(FLOWNODE_ID, "flow_id", "partition_id"),
            FlowKeyFamily.SOURCE_TABLE, List.of("table_id", FLOWNODE_ID, "flow_id", "partition_id"));

    private static final List<FlowKeyFamily> FAMILIES = List.of(
            FlowKeyFamily.NAME,
            FlowKeyFamily.INFO,
            FlowKeyFamily.ROUTE,
            FlowKeyFamily.FLOWNODE,
            FlowKeyFamily.SOURCE_TABLE);

    private FlowTextKeys() {}

    /** Where the catalog stands in a key. */
    public enum Layout {
        /** Today's: {@code __flow/info/{flow_id}}, {@code __flow/name/{catalog}/{flow_name}}. */
        FLOW("flow", "__flow/"),
        /** The oldest, with the catalog in every key: {@code __flow_task/{catalog}/info/{flow_id}}. */
        FLOW_TASK("flow_task", "__flow_task/");

        private final String label;
        private final String prefix;

        Layout(String label, String prefix) {
            this.label = label;
            this.prefix = prefix;
        }

        /** The name of the layout for people. */
        public String label() {
            return label;
        }

        /** What every key of the layout begins with. */
        public String prefix() {
            return prefix;
        }
    }

    /** A text that is no key of the layout, or a key without text in it. Says the key and what was expected. */
    public static final class TextKeyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final Problem problem;

        TextKeyException(Problem problem, String message) {
            super(message);
            this.problem = problem;
        }

        public Problem problem() {
            return problem;
        }
    }

    /** What a key lacks. */
    public enum Problem {
        /** The prefix of the layout, or a family. */
        FORM,
        /** A catalog that can be one. */
        CATALOG,
        /** A flow name that can be one. */
        FLOW_NAME,
        /** Numbers in their one spelling, as many as the family has. */
        NUMBER
    }

    /**
     * The text of a key.
     *
     * @throws TextKeyException if the key has no text that {@link #decode} would read back: a catalog outside the name
     *     pattern (or none, where the layout has one), or a flow name that is empty or has a line break
     */
    public static String encode(FlowTextKey key, Layout layout) {
        String form = form(key.family(), layout);
        StringBuilder text = new StringBuilder(layout.prefix());
        if (layout == Layout.FLOW_TASK) {
            text.append(requireCatalog(key.catalog(), key.toString(), form)).append('/');
        }
        text.append(key.family().label());
        if (key instanceof FlowTextKey.Name name) {
            if (layout == Layout.FLOW) {
                text.append('/').append(requireCatalog(name.catalog(), key.toString(), form));
            }
            text.append('/').append(requireFlowName(name.flowName(), key.toString(), form));
        } else {
            for (long number : numbers(key)) {
                text.append('/').append(Long.toUnsignedString(number));
            }
        }
        return text.toString();
    }

    /**
     * Takes a key apart.
     *
     * @throws TextKeyException if the text is not the canonical text of a flow key in this layout
     */
    public static FlowTextKey decode(String text, Layout layout) {
        if (!text.startsWith(layout.prefix())) {
            throw refused(Problem.FORM, text, "it does not begin with \"" + layout.prefix() + "\"", anyForm(layout));
        }
        String rest = text.substring(layout.prefix().length());
        String catalog = null;
        if (layout == Layout.FLOW_TASK) {
            catalog = requireCatalog(beforeSlash(rest), text, anyForm(layout));
            rest = afterSlash(rest);
        }
        String label = beforeSlash(rest);
        if (label == null || label.isEmpty()) {
            throw refused(Problem.FORM, text, "the family of the key is missing", anyForm(layout));
        }
        FlowKeyFamily family = family(label);
        if (family == null) {
            throw refused(
                    Problem.FORM, text, "\"" + Texts.shortened(label) + "\" is no family of keys", anyForm(layout));
        }
        String form = form(family, layout);
        rest = afterSlash(rest);
        if (family == FlowKeyFamily.NAME) {
            if (layout == Layout.FLOW) {
                catalog = requireCatalog(beforeSlash(rest), text, form);
                rest = afterSlash(rest);
            }
            return new FlowTextKey.Name(catalog, requireFlowName(rest, text, form));
        }
        return ofNumbers(family, catalog, decodeNumbers(family, rest, text, form));
    }

    /**
     * The text of a row's key; empty for rows that have none: allocator, outcome, outcome age and cursor.
     *
     * @throws NoncanonicalKeyException if no such row can have this key
     * @throws TextKeyException as {@link #encode} does
     */
    public static Optional<String> ofRow(byte[] rowKey, Layout layout) {
        return decodeRowKey(rowKey).map(key -> encode(key, layout));
    }

    /**
     * All keys of a catalog, in byte order of their UTF-8 text. A row whose key cannot be read, or has no canonical text, is
     * left out.
     */
    public static List<String> list(RowScanner rows, String catalog, Layout layout) {
        List<byte[]> found = new ArrayList<>();
        for (FlowKeyFamily family : FAMILIES) {
            byte[] prefix = new KeyWriter(family.tag()).text(catalog).bytes();
            rows.scanPrefix(prefix, (key, value) -> {
                textOf(key, layout).ifPresent(text -> found.add(text.getBytes(StandardCharsets.UTF_8)));
                return true;
            });
        }
        // Not as strings: those would be compared by UTF-16 units.
        found.sort(Arrays::compareUnsigned);
        return found.stream()
                .map(text -> new String(text, StandardCharsets.UTF_8))
                .toList();
    }

    private static Optional<String> textOf(byte[] rowKey, Layout layout) {
        try {
            return ofRow(rowKey, layout);
        } catch (NoncanonicalKeyException | TextKeyException e) {
            return Optional.empty();
        }
    }

    private static Optional<FlowTextKey> decodeRowKey(byte[] rowKey) {
        switch (familyOfRow(rowKey)) {
            case NAME -> {
                FlowNameIndex.Key name = FlowNameIndex.decodeKey(rowKey);
                return Optional.of(new FlowTextKey.Name(name.catalog(), name.flowName()));
            }
            case INFO -> {
                FlowInfoIndex.Key info = FlowInfoIndex.decodeKey(rowKey);
                return Optional.of(new FlowTextKey.Info(info.catalog(), info.flowId()));
            }
            case ROUTE -> {
                FlowRouteIndex.Key route = FlowRouteIndex.decodeKey(rowKey);
                return Optional.of(new FlowTextKey.Route(route.catalog(), route.flowId(), route.partitionId()));
            }
            case FLOWNODE -> {
                FlownodeIndex.Key node = FlownodeIndex.decodeKey(rowKey);
                return Optional.of(
                        new FlowTextKey.Flownode(node.catalog(), node.flownodeId(), node.flowId(), node.partitionId()));
            }
            case SOURCE_TABLE -> {
                SourceTableIndex.Key source = SourceTableIndex.decodeKey(rowKey);
                return Optional.of(new FlowTextKey.SourceTable(
                        source.catalog(),
                        source.tableId(),
                        source.flownodeId(),
                        source.flowId(),
                        source.partitionId()));
            }
            default -> {
                return Optional.empty();
            }
        }
    }

    private static FlowKeyFamily familyOfRow(byte[] rowKey) {
        for (FlowKeyFamily family : FlowKeyFamily.values()) {
            if (Keys.startsWith(rowKey, family.prefix())) {
                return family;
            }
        }
        throw new NoncanonicalKeyException(
                "row key " + Keys.hex(rowKey) + ": it has no known tag; expected a key of the flow store");
    }

    private static FlowKeyFamily family(String label) {
        for (FlowKeyFamily family : FAMILIES) {
            if (family.label().equals(label)) {
                return family;
            }
        }
        return null;
    }

    private static List<Long> numbers(FlowTextKey key) {
        if (key instanceof FlowTextKey.Info info) {
            return List.of(info.flowId());
        }
        if (key instanceof FlowTextKey.Route route) {
            return List.of(route.flowId(), route.partitionId());
        }
        if (key instanceof FlowTextKey.Flownode node) {
            return List.of(node.flownodeId(), node.flowId(), node.partitionId());
        }
        FlowTextKey.SourceTable source = (FlowTextKey.SourceTable) key;
        return List.of(source.tableId(), source.flownodeId(), source.flowId(), source.partitionId());
    }

    private static FlowTextKey ofNumbers(FlowKeyFamily family, String catalog, long[] n) {
        return switch (family) {
            case INFO -> new FlowTextKey.Info(catalog, n[0]);
            case ROUTE -> new FlowTextKey.Route(catalog, n[0], n[1]);
            case FLOWNODE -> new FlowTextKey.Flownode(catalog, n[0], n[1], n[2]);
            case SOURCE_TABLE -> new FlowTextKey.SourceTable(catalog, n[0], n[1], n[2], n[3]);
            default -> throw new IllegalStateException(family + " keys do not end in numbers");
        };
    }

    private static long[] decodeNumbers(FlowKeyFamily family, String rest, String text, String form) {
        List<String> names = NUMBERS.get(family);
        String[] parts = rest == null ? new String[0] : rest.split("/", -1);
        long[] numbers = new long[names.size()];
        for (int i = 0; i < numbers.length; i++) {
            String name = names.get(i);
            if (i == parts.length) {
                throw refused(Problem.NUMBER, text, name + " is missing", form);
            }
            numbers[i] = decodeNumber(name, parts[i], text, form);
        }
        if (parts.length > numbers.length) {
            throw refused(Problem.NUMBER, text, parts.length - numbers.length + " surplus part(s)", form);
        }
        return numbers;
    }

    private static long decodeNumber(String name, String part, String text, String form) {
        if (part.isEmpty()) {
            throw refused(Problem.NUMBER, text, name + " is empty", form);
        }
        for (int i = 0; i < part.length(); i++) {
            // Not Character.isDigit: that knows more digits than 0 to 9.
            if (part.charAt(i) < '0' || part.charAt(i) > '9') {
                throw refused(Problem.NUMBER, text, name + " is no decimal number", form);
            }
        }
        if (part.length() > 1 && part.charAt(0) == '0') {
            throw refused(Problem.NUMBER, text, name + " has a leading zero", form);
        }
        boolean isU64 = name.equals(FLOWNODE_ID);
        try {
            long value = Long.parseUnsignedLong(part);
            if (isU64 || U32.fits(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Only digits, so it is too large.
        }
        throw refused(Problem.NUMBER, text, name + " does not fit " + (isU64 ? "64" : "32") + " bits", form);
    }

    private static String requireCatalog(String catalog, String key, String form) {
        if (catalog == null || catalog.isEmpty()) {
            throw refused(Problem.CATALOG, key, "catalog is missing", form);
        }
        if (!Names.isName(catalog)) {
            throw refused(
                    Problem.CATALOG,
                    key,
                    "catalog \"" + Texts.shortened(catalog) + "\" does not match " + Names.PATTERN,
                    form);
        }
        return catalog;
    }

    private static String requireFlowName(String flowName, String key, String form) {
        if (flowName == null || flowName.isEmpty()) {
            throw refused(Problem.FLOW_NAME, key, "flow_name is missing", form);
        }
        if (flowName.indexOf('\n') >= 0 || flowName.indexOf('\r') >= 0) {
            throw refused(Problem.FLOW_NAME, key, "flow_name has a line break", form);
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(flowName)) {
            throw refused(Problem.FLOW_NAME, key, "flow_name is no Unicode text", form);
        }
        return flowName;
    }

    /** The text up to its first slash, or all of it; null stays null. */
    private static String beforeSlash(String text) {
        int slash = text == null ? -1 : text.indexOf('/');
        return slash < 0 ? text : text.substring(0, slash);
    }

    /** The text after its first slash, or null. */
    private static String afterSlash(String text) {
        int slash = text == null ? -1 : text.indexOf('/');
        return slash < 0 ? null : text.substring(slash + 1);
    }

    /** For messages: how a key of the family is built. */
    private static String form(FlowKeyFamily family, Layout layout) {
        String label = family.label();
        if (family == FlowKeyFamily.NAME) {
            return layout.prefix() + (layout == Layout.FLOW ? label + "/{catalog}" : "{catalog}/" + label)
                    + "/{flow_name}";
        }
        StringBuilder form = new StringBuilder(layout.prefix());
        if (layout == Layout.FLOW_TASK) {
            form.append("{catalog}/");
        }
        form.append(label);
        NUMBERS.get(family).forEach(part -> form.append("/{").append(part).append('}'));
        return form.toString();
    }

    private static String anyForm(Layout layout) {
        return layout.prefix() + (layout == Layout.FLOW ? "" : "{catalog}/") + " and then one of "
                + String.join(", ", FAMILIES.stream().map(FlowKeyFamily::label).toList());
    }

    private static TextKeyException refused(Problem problem, String key, String found, String expected) {
        return new TextKeyException(problem, "key \"" + shown(key) + "\": " + shown(found) + "; expected " + expected);
    }

    /** Shortened, and in one line. */
    private static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        Texts.shortened(text).chars().forEach(unit -> {
            if (Character.isISOControl(unit)) {
                shown.append(String.format(Locale.ROOT, "\\u%04x", unit));
            } else {
                shown.append((char) unit);
            }
        });
        return shown.toString();
    }
}
