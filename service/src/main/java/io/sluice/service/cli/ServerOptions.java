package io.sluice.service.cli;

import io.sluice.service.client.ServiceClient;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Purpose: which service a client command asks.
 *
 * <p>Threading: one thread.
 */
final class ServerOptions {
    static final String DEFAULT_URL = "http://127.0.0.1:7878";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec mixee;

    @Option(
            names = "--server",
            paramLabel = "URL",
            defaultValue = "${env:SLUICE_SERVER}",
            description = "The service to ask (default: environment variable SLUICE_SERVER, else " + DEFAULT_URL + ").")
    private String url;

    /** @throws ParameterException if the URL cannot be one */
    ServiceClient client() {
        try {
            return ServiceClient.of(url == null || url.isBlank() ? DEFAULT_URL : url);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(mixee.commandLine(), e.getMessage(), e);
        }
    }
}
