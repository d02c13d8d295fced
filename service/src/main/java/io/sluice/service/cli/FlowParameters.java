package io.sluice.service.cli;

import io.sluice.service.client.ServiceClient;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Purpose: the two parameters that name a flow.
 *
 * <p>Threading: one thread.
 */
final class FlowParameters {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec mixee;

    @Parameters(index = "0", paramLabel = "CATALOG", description = "The catalog of the flow.")
    private String catalog;

    @Parameters(
            index = "1",
            paramLabel = "NAME",
            description = "The name of the flow; put -- before one that begins with -.")
    private String name;

    String catalog() {
        return catalog;
    }

    /** @throws ParameterException if a part is empty, since the path would mean something else */
    String path() {
        if (catalog.isEmpty() || name.isEmpty()) {
            throw new ParameterException(
                    mixee.commandLine(), (catalog.isEmpty() ? "CATALOG" : "NAME") + " is empty. Give one.");
        }
        return ServiceClient.path("v1", "catalogs", catalog, "flows", name);
    }
}
