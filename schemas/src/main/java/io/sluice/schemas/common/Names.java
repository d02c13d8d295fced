package io.sluice.schemas.common;

import java.util.regex.Pattern;

/** The name rule of catalogs, and of flows when they are created (docs/formats.md, section 3). Stateless. */
public final class Names {
    /** As text for messages. */
    public static final String PATTERN = "[a-zA-Z_:-][a-zA-Z0-9_:\\-\\.@#]*";

    private static final Pattern NAME = Pattern.compile(PATTERN);

    private Names() {}

    /** Whether the whole text is a name. */
    public static boolean isName(String text) {
        // matches(), not find(): "$" would accept a trailing line break.
        return NAME.matcher(text).matches();
    }
}
