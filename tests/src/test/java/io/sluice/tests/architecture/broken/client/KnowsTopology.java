package io.sluice.tests.architecture.broken.client;

import io.sluice.tests.architecture.broken.topology.common.KnowsJson;

/** A client library that knows the server. */
public class KnowsTopology {
    KnowsJson topology;
}
