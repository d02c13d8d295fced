package io.sluice.service.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** Runs commands in this process, and keeps what they say. */
final class Cli {
    private Cli() {}

    /** How a command ended. */
    record Result(int exitCode, String out, String err) {
        List<String> outLines() {
            return out.lines().toList();
        }

        List<String> errLines() {
            return err.lines().toList();
        }
    }

    static Result run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode =
                Main.commandLine(new PrintWriter(out), new PrintWriter(err)).execute(args);
        return new Result(exitCode, out.toString(), err.toString());
    }
}
