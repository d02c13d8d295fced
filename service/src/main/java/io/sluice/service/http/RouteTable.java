package io.sluice.service.http;

import io.sluice.schemas.common.Texts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Finds the route of a request. Works on the path as it was sent: segments are split before they are decoded, so a
 * name may hold a slash, a dot or a percent sign.
 *
 * <p>Immutable.
 */
final class RouteTable {
    private final List<Route> routes;

    RouteTable(List<Route> routes) {
        this.routes = List.copyOf(routes);
    }

    /**
     * The route of a request and what its path says.
     *
     * @param variables decoded, by name
     */
    record Match(Route route, Map<String, String> variables) {}

    List<Route> routes() {
        return routes;
    }

    /** @throws RefusedRequestException if there is no such path, or not with this method */
    Match match(String method, String rawPath) {
        // A HEAD is a GET whose body is not sent.
        String wanted = method.equals("HEAD") ? "GET" : method;
        List<String> segments = List.of(rawPath.split("/", -1));
        TreeSet<String> allowed = new TreeSet<>();
        for (Route route : routes) {
            if (fits(route, segments)) {
                if (route.method().equals(wanted)) {
                    return new Match(route, variables(route, segments));
                }
                allowed.add(route.method());
                if (route.method().equals("GET")) {
                    allowed.add("HEAD");
                }
            }
        }
        String shown = Texts.shortened(rawPath);
        if (allowed.isEmpty()) {
            throw new RefusedRequestException(
                    ErrorTable.NOT_FOUND, "there is no path " + shown + ": /openapi.json lists all there are");
        }
        String allow = String.join(", ", allowed);
        throw RefusedRequestException.wrongMethod(
                Texts.shortened(method) + " is not allowed for " + shown + ": allowed are " + allow, allow);
    }

    private static boolean fits(Route route, List<String> segments) {
        List<String> template = route.segments();
        if (template.size() != segments.size()) {
            return false;
        }
        for (int i = 0; i < template.size(); i++) {
            if (!Route.isVariable(template.get(i)) && !template.get(i).equals(segments.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static Map<String, String> variables(Route route, List<String> segments) {
        Map<String, String> variables = new LinkedHashMap<>();
        List<String> template = route.segments();
        for (int i = 0; i < template.size(); i++) {
            String name = template.get(i);
            if (Route.isVariable(name)) {
                variables.put(name.substring(1, name.length() - 1), UriText.decodeSegment(segments.get(i)));
            }
        }
        return variables;
    }
}
