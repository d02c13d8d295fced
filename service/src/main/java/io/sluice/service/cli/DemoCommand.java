package io.sluice.service.cli;

import io.sluice.service.demo.Demo;
import io.sluice.service.demo.DemoException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Purpose: {@code sluice demo}: the main job from the beginning to the end, with every claim checked. */
@Command(
        name = "demo",
        description = {
            "Shows what Sluice does, in numbered steps, on a broker and a service of its own in a temporary directory.",
            "Applies the samples, shows outcomes, indices and routes, wipes the local state, and proves that it comes back.",
            "Exit code 0 only if all of it held."
        })
final class DemoCommand implements Callable<Integer> {
    /** Set by the launcher: the directory that holds samples/. */
    private static final String HOME_PROPERTY = "sluice.home";

    @Option(names = "--keep", description = "Keep the data directory (default: it is deleted at the end).")
    private boolean keep;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        // Only what is wrong: the demo says itself what happens.
        System.getProperties().putIfAbsent("sluice.log.level", "WARN");
        System.getProperties().putIfAbsent("sluice.log.libraries.level", "ERROR");
        try {
            Path home = Path.of(System.getProperty(HOME_PROPERTY, ""));
            boolean held = new Demo(home, keep, spec.commandLine().getOut()).run();
            return held ? ExitCodes.DONE : ExitCodes.FAILED;
        } catch (DemoException e) {
            throw new CommandFailure(ExitCodes.FAILED, "the demo cannot go on: " + e.getMessage(), e);
        }
    }
}
