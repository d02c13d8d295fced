package io.sluice.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.service.http.ErrorTable.Row;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class OpenApiTest {
    private static final RouteTable ROUTES = TestRoutes.table();
    private static JsonNode document;

    @BeforeAll
    static void read() throws IOException {
        try (InputStream in = OpenApiTest.class.getResourceAsStream("/openapi.json")) {
            document = new ObjectMapper().readTree(in);
        }
    }

    @Test
    void itDescribesExactlyTheRoutes() {
        Set<String> described = new TreeSet<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .fieldNames()
                        .forEachRemaining(method -> described.add(method.toUpperCase() + " " + path.getKey())));
        Set<String> registered = new TreeSet<>();
        ROUTES.routes().forEach(route -> registered.add(route.method() + " " + route.template()));

        assertThat(document.get("openapi").textValue()).startsWith("3.1");
        assertThat(described).isEqualTo(registered);
    }

    @Test
    void itDescribesEveryParameter() {
        for (Route route : ROUTES.routes()) {
            Set<String> described = new TreeSet<>();
            operation(route).path("parameters").forEach(reference -> {
                JsonNode parameter = resolved(reference);
                if (!parameter.get("in").textValue().equals("header")) {
                    described.add(parameter.get("in").textValue() + " "
                            + parameter.get("name").textValue());
                }
            });
            Set<String> expected = new TreeSet<>();
            route.queryNames().forEach(name -> expected.add("query " + name));
            route.segments().stream()
                    .filter(Route::isVariable)
                    .forEach(name -> expected.add("path " + name.replaceAll("[{}]", "")));
            assertThat(described).as(route.method() + " " + route.template()).isEqualTo(expected);
        }
    }

    @Test
    void itListsEveryCode() {
        List<String> listed = new ArrayList<>();
        document.at("/components/schemas/Code/enum").forEach(code -> listed.add(code.textValue()));

        assertThat(listed)
                .containsExactlyInAnyOrderElementsOf(
                        ErrorTable.rows().stream().map(Row::code).toList());
    }

    @Test
    void everyResponseRefersToASchema() {
        for (Route route : ROUTES.routes()) {
            JsonNode responses = operation(route).get("responses");
            assertThat(responses.size()).isGreaterThan(1);
            responses.properties().forEach(response -> {
                JsonNode content = resolved(response.getValue()).get("content");
                assertThat(content)
                        .as(route.template() + " " + response.getKey())
                        .isNotNull()
                        .hasSize(1);
                content.forEach(body -> assertThat(body.at("/schema/$ref").textValue())
                        .as(route.template() + " " + response.getKey())
                        .startsWith("#/components/schemas/"));
                boolean problem = Integer.parseInt(response.getKey()) >= 400;
                assertThat(content.has("application/problem+json")).isEqualTo(problem);
            });
        }
    }

    @Test
    void everyReferenceLeadsSomewhereAndNothingIsLeftOver() {
        Set<String> referred = new HashSet<>();
        collectReferences(document, referred);
        assertThat(referred)
                .allSatisfy(reference -> assertThat(
                                document.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
        Set<String> defined = new HashSet<>();
        document.get("components")
                .properties()
                .forEach(kind -> kind.getValue()
                        .fieldNames()
                        .forEachRemaining(name -> defined.add("#/components/" + kind.getKey() + "/" + name)));
        assertThat(referred).isEqualTo(defined);
    }

    @Test
    void exactlyTheReadsWhoseAnswersShowPeersAreMarkedAsSuch() {
        Set<String> showing = new TreeSet<>();
        Set<String> marked = new TreeSet<>();
        for (Route route : ROUTES.routes()) {
            Set<String> schemas = new HashSet<>();
            collectSchemas(operation(route).at("/responses/200"), schemas);
            if (schemas.contains("#/components/schemas/Peer")) {
                showing.add(route.method() + " " + route.template());
            }
            if (route.handling() instanceof Route.Read read && read.showsPeers()) {
                marked.add(route.method() + " " + route.template());
            }
        }

        assertThat(marked).isEqualTo(showing).hasSize(4);
    }

    /** All schemas that are reached from here. */
    private static void collectSchemas(JsonNode node, Set<String> reached) {
        Set<String> direct = new HashSet<>();
        collectReferences(node, direct);
        for (String reference : direct) {
            if (reached.add(reference)) {
                collectSchemas(document.at(reference.substring(1)), reached);
            }
        }
    }

    private static void collectReferences(JsonNode node, Set<String> references) {
        if (node.has("$ref")) {
            references.add(node.get("$ref").textValue());
        }
        node.forEach(child -> collectReferences(child, references));
    }

    private static JsonNode operation(Route route) {
        return document.get("paths").get(route.template()).get(route.method().toLowerCase());
    }

    private static JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.get("$ref").textValue().substring(1)) : node;
    }
}
