package io.sluice.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTableTest {
    private final RouteTable routes = TestRoutes.table();

    @Test
    void variablesAreDecodedAfterThePathIsSplit() {
        RouteTable.Match match = routes.match("GET", "/v1/catalogs/c%2F/flows/a%2Fb%252F+%20");

        assertThat(match.route().template()).isEqualTo("/v1/catalogs/{catalog}/flows/{name}");
        assertThat(match.variables()).isEqualTo(Map.of("catalog", "c/", "name", "a/b%2F+ "));
    }

    @Test
    void everyRouteIsFoundByItsOwnTemplate() {
        assertThat(routes.routes())
                .hasSize(47)
                .allSatisfy(route -> assertThat(
                                routes.match(route.method(), route.template().replaceAll("[{}]", ""))
                                        .route())
                        .isSameAs(route));
    }

    @Test
    void aHeadIsAGet() {
        assertThat(routes.match("HEAD", "/version").route().method()).isEqualTo("GET");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/v1",
                "/v1/catalogs/",
                "/v1/catalogs/c",
                "/V1/catalogs",
                "//v1/catalogs",
                "/metric",
                "*",
                ""
            })
    void anUnknownPathIsNotFound(String path) {
        assertThatThrownBy(() -> routes.match("GET", path))
                .isInstanceOfSatisfying(
                        RefusedRequestException.class, e -> assertThat(e.row()).isEqualTo(ErrorTable.NOT_FOUND))
                .hasMessageContaining("there is no path " + path);
    }

    @Test
    void anotherMethodIsNotAllowed() {
        assertThatThrownBy(() -> routes.match("POST", "/v1/catalogs/c/flows/f"))
                .isInstanceOfSatisfying(RefusedRequestException.class, e -> {
                    assertThat(e.row()).isEqualTo(ErrorTable.METHOD_NOT_ALLOWED);
                    assertThat(e.allow()).isEqualTo("DELETE, GET, HEAD, PATCH, PUT");
                })
                .hasMessageContaining("POST is not allowed for /v1/catalogs/c/flows/f: allowed are DELETE, GET");
    }
}
