package io.sluice.service.manifest;

import io.sluice.schemas.common.U64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A delta or a checkpoint, by the name of its file (docs/formats.md, section 8.2). Immutable. One name, one file: nothing that is
 * written differently is taken for one.
 *
 * @param version the bits of a u64
 */
record ManifestFile(Kind kind, long version, boolean compressed) {
    static final String POINTER = "_last_checkpoint";

    private static final Pattern NAME = Pattern.compile("([0-9]{20})\\.(json|checkpoint)(\\.gz)?");
    private static final int DIGITS = 20;

    enum Kind {
        DELTA("json"),
        CHECKPOINT("checkpoint");

        private final String extension;

        Kind(String extension) {
            this.extension = extension;
        }
    }

    static ManifestFile delta(long version, boolean compressed) {
        return new ManifestFile(Kind.DELTA, version, compressed);
    }

    static ManifestFile checkpoint(long version, boolean compressed) {
        return new ManifestFile(Kind.CHECKPOINT, version, compressed);
    }

    /** Whether the name is that of a delta or checkpoint, but for the number, which may be too high. */
    static boolean isVersioned(String name) {
        return NAME.matcher(name).matches();
    }

    /** The file with this name; null if it is none of ours, or its number is none. */
    static ManifestFile parse(String name) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            return null;
        }
        try {
            return new ManifestFile(
                    matcher.group(2).equals(Kind.DELTA.extension) ? Kind.DELTA : Kind.CHECKPOINT,
                    Long.parseUnsignedLong(matcher.group(1)),
                    matcher.group(3) != null);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The same version, compressed if this is not, and the reverse. */
    ManifestFile otherForm() {
        return new ManifestFile(kind, version, !compressed);
    }

    String name() {
        String digits = U64.text(version);
        return "0".repeat(DIGITS - digits.length()) + digits + "." + kind.extension + (compressed ? ".gz" : "");
    }
}
