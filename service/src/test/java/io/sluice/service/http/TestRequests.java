package io.sluice.service.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Requests as the HTTP server hands them over, without one. Stateless. */
final class TestRequests {
    private static final int MAX_BODY_BYTES = 1024;

    private TestRequests() {}

    /**
     * A GET whose query was read.
     *
     * @param headers name, value, name, value ...; a name may come several times
     */
    static Request get(String pathAndQuery, String... headers) {
        return request("GET", pathAndQuery, "", headers);
    }

    /** A POST whose query was read, and whose body was not. */
    static Request post(String pathAndQuery, String body) {
        return request("POST", pathAndQuery, body);
    }

    private static Request request(String method, String pathAndQuery, String body, String... headers) {
        int mark = pathAndQuery.indexOf('?');
        String path = mark < 0 ? pathAndQuery : pathAndQuery.substring(0, mark);
        String query = mark < 0 ? null : pathAndQuery.substring(mark + 1);
        Request request = new Request(
                servletRequest(method, path, query, body.getBytes(StandardCharsets.UTF_8), byName(headers)),
                TestRoutes.table().match(method, path),
                MAX_BODY_BYTES);
        request.readQuery();
        return request;
    }

    static Route.Read route(Request request) {
        return (Route.Read) request.route().handling();
    }

    private static Map<String, List<String>> byName(String... headers) {
        Map<String, List<String>> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < headers.length; i += 2) {
            byName.computeIfAbsent(headers[i], name -> new ArrayList<>()).add(headers[i + 1]);
        }
        return byName;
    }

    private static HttpServletRequest servletRequest(
            String httpMethod, String path, String query, byte[] body, Map<String, List<String>> headers) {
        ByteArrayInputStream bytes = new ByteArrayInputStream(body);
        return (HttpServletRequest) Proxy.newProxyInstance(
                HttpServletRequest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getMethod" -> httpMethod;
                    case "getContentLengthLong" -> (long) body.length;
                    case "getInputStream" -> new Body(bytes);
                    case "getRequestURI" -> path;
                    case "getQueryString" -> query;
                    case "getHeaders" ->
                        Collections.enumeration(headers.getOrDefault((String) arguments[0], List.of()));
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    /** A body that is there at once. */
    private static final class Body extends ServletInputStream {
        private final ByteArrayInputStream bytes;

        Body(ByteArrayInputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new UnsupportedOperationException();
        }
    }
}
