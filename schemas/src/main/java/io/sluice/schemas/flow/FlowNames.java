package io.sluice.schemas.flow;

/**
 * How the name in a command or look-up is read (docs/behaviour.md G14): as it is, and if nothing has that name, without
 * its quotes. Stateless.
 */
public final class FlowNames {
    private FlowNames() {}

    /** The name without one pair of backticks or double quotes around it; the name itself when it has none. */
    public static String unquoted(String name) {
        int last = name.length() - 1;
        if (last < 1 || name.charAt(0) != name.charAt(last)) {
            return name;
        }
        char quote = name.charAt(0);
        return quote == '`' || quote == '"' ? name.substring(1, last) : name;
    }
}
