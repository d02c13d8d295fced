package io.sluice.service.bench;

import io.sluice.service.client.ServiceClient;

/** A flow that is looked up. Immutable. */
record LookedUpFlow(String catalog, String flowName) {
    /** The path of the look-up by name. */
    String path() {
        return ServiceClient.path("v1", "catalogs", catalog, "flows", flowName);
    }
}
