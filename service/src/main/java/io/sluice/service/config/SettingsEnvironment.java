package io.sluice.service.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Purpose: finds settings among environment variables, {@code SLUICE_} and the setting's name in capitals with underscores.
 *
 * <p>Threading: functions only.
 *
 * <p>Invariants: a variable that begins with {@code SLUICE_} is a setting, is meant for somebody else, or is a problem.
 */
final class SettingsEnvironment {
    /** For the commands that ask a service, and for the script that starts Java. */
    static final Set<String> NOT_SETTINGS = Set.of("SLUICE_SERVER", "SLUICE_JAVA_OPTS");

    /** Kubernetes sets these for every container of a namespace that has a service whose name begins with "sluice". */
    private static final Pattern SERVICE_LINK =
            Pattern.compile("SLUICE_(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_\\d+_(TCP|UDP|SCTP)(_.+)?)");

    private static final Pattern SERVICE_LINK_PORT = Pattern.compile("SLUICE_(.+_)?PORT");
    private static final Pattern SERVICE_LINK_URL = Pattern.compile("(tcp|udp|sctp)://.*");

    private SettingsEnvironment() {}

    /** @param problems gets a line for each */
    static List<Given> read(Map<String, String> environment, Consumer<String> problems) {
        List<Given> settings = new ArrayList<>();
        new TreeMap<>(environment).forEach((variable, value) -> {
            if (!variable.startsWith(SettingNames.VARIABLE_PREFIX) || isForOthers(variable, value)) {
                return;
            }
            Optional<String> setting = SettingNames.ofVariable(variable);
            if (setting.isEmpty()) {
                problems.accept("unknown environment variable " + variable + ": the nearest known name is "
                        + SettingNames.nearestVariable(variable));
            } else {
                settings.add(new Given(setting.get(), value, "in environment variable " + variable));
            }
        });
        return settings;
    }

    private static boolean isForOthers(String variable, String value) {
        return NOT_SETTINGS.contains(variable)
                || SERVICE_LINK.matcher(variable).matches()
                || SERVICE_LINK_PORT.matcher(variable).matches()
                        && SERVICE_LINK_URL.matcher(value).matches();
    }
}
