package io.sluice.tests.architecture.broken.topology.common;

import com.fasterxml.jackson.databind.JsonNode;

/** JSON below the service. */
public class KnowsJson {
    JsonNode json;
}
