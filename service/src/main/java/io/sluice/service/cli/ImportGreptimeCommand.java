package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.flow.Peer;
import io.sluice.service.cli.FlowImporter.LeftOut;
import io.sluice.service.cli.FlowImporter.Result;
import io.sluice.service.client.Json;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.TextTable;
import io.sluice.service.common.Finding;
import io.sluice.service.common.RateProgress;
import io.sluice.service.cut.CutException;
import io.sluice.service.cut.TemporaryRows;
import io.sluice.service.greptime.BrokenFileException;
import io.sluice.service.greptime.FlowSnapshot;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Purpose: {@code sluice import greptime}: takes over the flows of a file of keys and values, as GreptimeDB keeps them in its metadata
 * store.
 *
 * <p>Threading: one thread; sending is {@link FlowImporter}'s.
 *
 * <p>Invariants: nothing is sent before the whole file was read; a flow is in completely or not at all; what is left out is named, with
 * the reason, and keeps nothing else from being taken.
 */
@Command(
        name = "greptime",
        description = {
            "Takes over the flows of GreptimeDB's metadata, of any release: from JSON lines {\"key\":...,\"value\":...}, or"
                    + " from the output of etcdctl get --prefix __flow/ -w json.",
            "Ids and times are kept. Importing the same again changes nothing, and a flow that is there with other content"
                    + " is left alone. What cannot be taken is named, and the rest is taken; then the exit code is 1.",
            "An import that was stopped is run again with the same file: it takes what is not there yet. More:"
                    + " docs/greptime.md."
        })
final class ImportGreptimeCommand extends ClientCommand {
    private static final String STANDARD_INPUT = "-";

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "The file, or - for standard input.")
    private String file;

    @Option(
            names = "--catalog",
            paramLabel = "C",
            description = "Import the flows of this catalog only (default: of all).")
    private String catalog;

    @Option(
            names = "--or-replace",
            description =
                    "Put a flow in the place of one that is there with its id and other content (default: leave it out).")
    private boolean orReplace;

    @Option(
            names = "--next-id",
            paramLabel = "N",
            converter = Numbers.U32.class,
            description = "The id that new flows shall start from; above what the import would lead to anyway (default:"
                    + " what it leads to).")
    private Long nextId;

    @Option(names = "--dry-run", description = "Read and report, and send nothing (default: import).")
    private boolean dryRun;

    private final List<Finding> findings = new ArrayList<>();

    @Override
    int run(ServiceClient client) {
        if (catalog != null) {
            requireText("--catalog", catalog);
        }
        try (TemporaryRows rows = TemporaryRows.create(Path.of(System.getProperty("java.io.tmpdir")))) {
            FlowSnapshot snapshot = read(rows.space((byte) 1));
            requireFlows(snapshot);
            return dryRun ? report(snapshot, count(snapshot)) : importAll(client, snapshot);
        } catch (CutException e) {
            throw new CommandFailure(ExitCodes.FAILED, e.getMessage(), e);
        }
    }

    private FlowSnapshot read(TemporaryRows.Space space) {
        String name = InputText.name(file);
        try (InputStream in = open()) {
            return FlowSnapshot.read(in, space, catalog, findings::add);
        } catch (BrokenFileException e) {
            throw new CommandFailure(
                    ExitCodes.FAILED, name + " cannot be imported: " + e.getMessage() + ". Nothing was sent.", e);
        } catch (NoSuchFileException e) {
            throw new CommandFailure(ExitCodes.FAILED, "there is no file " + file + ". Check the path after -f.", e);
        } catch (InvalidPathException | IOException e) {
            throw new CommandFailure(ExitCodes.FAILED, name + " cannot be read: " + e + ". Nothing was sent.", e);
        }
    }

    private InputStream open() throws IOException {
        if (file.equals(STANDARD_INPUT)) {
            return System.in;
        }
        return new FilterInputStream(Files.newInputStream(Path.of(file))) {
            /** A pipe cannot say how much is there, and fails when it is asked. */
            @Override
            public int available() {
                return 0;
            }
        };
    }

    /** A name that is not in the file, or an id for nothing, is a mistake. */
    private void requireFlows(FlowSnapshot snapshot) {
        if (!snapshot.highestIds().isEmpty()) {
            return;
        }
        if (catalog != null && !snapshot.otherCatalogs().isEmpty()) {
            throw new CommandFailure(
                    ExitCodes.FAILED,
                    InputText.name(file) + " has no flow of catalog " + Texts.shortened(catalog)
                            + " that can be read: check its name, case counts. There are "
                            + Texts.shortened(String.join(", ", snapshot.otherCatalogs())) + ". Nothing was sent.");
        }
        if (nextId != null) {
            throw new CommandFailure(
                    ExitCodes.FAILED,
                    InputText.name(file) + " has no flow that can be read: it is not known in which catalog --next-id "
                            + nextId + " should count. Leave it away. Nothing was sent.");
        }
    }

    /** As if everything were new. */
    private Result count(FlowSnapshot snapshot) {
        long[] flows = {0};
        snapshot.forEachFlow(flow -> flows[0]++);
        return new Result(flows[0], 0, 0, snapshot.addresses().size(), 0, List.of(), 0, true);
    }

    /** A stop in the middle lets what is on its way arrive, and says how far it came. */
    private int importAll(ServiceClient client, FlowSnapshot snapshot) {
        try (StopSignal stop = new StopSignal()) {
            return report(snapshot, send(client, snapshot, stop));
        }
    }

    private Result send(ServiceClient client, FlowSnapshot snapshot, StopSignal stop) {
        Map<String, Long> nextIds = nextIds(client, snapshot);
        long total = snapshot.flowCount() + snapshot.addresses().size();
        try (RateProgress progress = new RateProgress("import", "commands", err());
                FlowImporter importer = new FlowImporter(
                        client, orReplace, FlowImporter.PATIENCE, stop::given, done -> progress.reached(done, total))) {
            // First, so that nobody else gets an id that is on its way.
            nextIds.forEach(importer::ids);
            Set<Long> used = new HashSet<>();
            snapshot.forEachFlow(flow -> {
                flow.routes().values().stream().map(Peer::id).forEach(used::add);
                importer.flow(flow);
            });
            snapshot.addresses().forEach((flownodeId, addr) -> {
                if (catalog == null || used.contains(flownodeId)) {
                    importer.address(flownodeId, addr);
                }
            });
            return importer.finish();
        }
    }

    /** What is said besides the flows themselves about the ids of the catalogs that have some. */
    private Map<String, Long> nextIds(ServiceClient client, FlowSnapshot snapshot) {
        SortedMap<String, Long> nextIds = new TreeMap<>();
        for (Map.Entry<String, Long> highest : snapshot.highestIds().entrySet()) {
            long stored = snapshot.sequence().orElse(0);
            if (nextId != null) {
                requireAbove(client, highest.getKey(), Math.max(highest.getValue() + 1, stored));
                nextIds.put(highest.getKey(), nextId);
            } else if (stored > 0) {
                nextIds.put(highest.getKey(), stored);
            }
        }
        return nextIds;
    }

    private void requireAbove(ServiceClient client, String inCatalog, long ofFile) {
        long current = lookUp(client, ServiceClient.path("v1", "catalogs", inCatalog, "next-flow-id"))
                .path("next_flow_id")
                .asLong();
        long anyway = Math.max(current, ofFile);
        if (nextId <= anyway) {
            throw new CommandFailure(
                    ExitCodes.FAILED,
                    "--next-id " + nextId + " is not above " + anyway + ", from which new flows of catalog "
                            + Texts.shortened(inCatalog)
                            + " would start anyway. Give a larger one, or leave it away. Nothing was sent.");
        }
    }

    private int report(FlowSnapshot snapshot, Result result) {
        FindingsText.printShortened(findings, err());
        result.leftOut()
                .forEach(one -> err().println("error: " + TextTable.oneLine(one.reason() + " in " + one.what() + ": ")
                        + messageAfter(one.reason(), one.message())));
        long errors = FindingsText.errors(findings) + result.leftOut().size();
        if (result.notSent() > 0) {
            err().println("stopped: " + result.notSent()
                    + " commands were not sent. Import the same file again: it takes" + " what is not there yet.");
        }
        if (snapshot.flowCount() == 0 && snapshot.otherKeys() > 0) {
            err().println(
                            "none of the keys is that of a flow: those begin with __flow/ or __flow_task/. Where GreptimeDB"
                                    + " puts a prefix before its keys (store_key_prefix), take it off first: docs/greptime.md.");
        }
        err().flush();
        if (isJson()) {
            out().println(Json.line(json(snapshot, result)));
        } else {
            out().println(summary(snapshot, result, errors));
        }
        if (!result.reachable()) {
            return ExitCodes.UNREACHABLE;
        }
        return errors + result.notSent() > 0 ? ExitCodes.FAILED : ExitCodes.DONE;
    }

    /** Where the service has the same word for the reason, once is enough. */
    private static String messageAfter(String reason, String message) {
        String again = reason + ": ";
        return message.startsWith(again) ? message.substring(again.length()) : message;
    }

    private String summary(FlowSnapshot snapshot, Result result, long errors) {
        long flows = result.created() + result.unchanged() + result.replaced();
        StringBuilder text = new StringBuilder(dryRun ? "dry run  " : errors + result.notSent() == 0 ? "OK  " : "");
        if (dryRun) {
            text.append(flows).append(" flows can be read");
        } else {
            text.append(flows).append(" flows: ");
            text.append(result.created()).append(" new, ");
            text.append(result.unchanged()).append(" unchanged, ");
            text.append(result.replaced()).append(" replaced; ");
            text.append(result.addressesRegistered()).append(" addresses registered, ");
            text.append(result.addressesKept()).append(" kept");
        }
        text.append("; ").append(errors).append(" left out");
        if (result.notSent() > 0) {
            text.append("; ").append(result.notSent()).append(" not sent");
        }
        if (snapshot.otherKeys() > 0) {
            text.append("; ").append(snapshot.otherKeys()).append(" keys are not about flows");
        }
        return text.append(dryRun ? "; nothing was sent" : "").toString();
    }

    private ObjectNode json(FlowSnapshot snapshot, Result result) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("file", InputText.name(file));
        json.put("dry_run", dryRun);
        json.put("new", result.created());
        json.put("unchanged", result.unchanged());
        json.put("replaced", result.replaced());
        ArrayNode leftOut = json.putArray("left_out");
        for (LeftOut one : result.leftOut()) {
            leftOut.addObject()
                    .put("what", one.what())
                    .put("reason", one.reason())
                    .put("message", one.message());
        }
        json.put("addresses_registered", result.addressesRegistered());
        json.put("addresses_kept", result.addressesKept());
        json.put("not_sent", result.notSent());
        json.put("other_keys", snapshot.otherKeys());
        json.set("findings", FindingsText.json(findings));
        return json;
    }
}
