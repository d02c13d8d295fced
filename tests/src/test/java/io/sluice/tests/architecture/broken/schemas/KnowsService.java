package io.sluice.tests.architecture.broken.schemas;

import io.sluice.tests.architecture.broken.service.query.KnowsEverything;

/** The lowest module with a look at the highest. */
public class KnowsService {
    KnowsEverything service;
}
