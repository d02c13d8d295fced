package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.service.client.Json;
import io.sluice.service.client.TextTable;
import io.sluice.service.common.Finding;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Purpose: findings for people and for scripts.
 *
 * <p>Threading: stateless.
 */
final class FindingsText {
    private static final int WARNINGS_OF_A_KIND = 20;

    private FindingsText() {}

    /** A line per finding, the bad ones first. */
    static void print(List<Finding> findings, PrintWriter to) {
        findings.stream()
                .sorted((a, b) -> a.level().compareTo(b.level()))
                .forEach(finding -> to.println(level(finding) + ": " + TextTable.oneLine(finding.toString())));
        to.flush();
    }

    /** The same, where there may be as many as there are flows: of the warnings of one kind only the first ones. */
    static void printShortened(List<Finding> findings, PrintWriter to) {
        Map<Finding.Code, Integer> warnings = new EnumMap<>(Finding.Code.class);
        List<Finding> shown = findings.stream()
                .filter(finding -> finding.level() == Finding.Level.ERROR
                        || warnings.merge(finding.code(), 1, Integer::sum) <= WARNINGS_OF_A_KIND)
                .toList();
        print(shown, to);
        warnings.forEach((code, count) -> {
            if (count > WARNINGS_OF_A_KIND) {
                to.printf(
                        Locale.ROOT,
                        "warning: %s in %,d more; --json has them all%n",
                        code,
                        count - WARNINGS_OF_A_KIND);
            }
        });
        to.flush();
    }

    static ArrayNode json(List<Finding> findings) {
        ArrayNode all = Json.MAPPER.createArrayNode();
        for (Finding finding : findings) {
            ObjectNode one = all.addObject();
            one.put("level", level(finding));
            one.put("code", finding.code().name());
            one.put("where", finding.where());
            one.put("message", finding.message());
        }
        return all;
    }

    /** How many findings say that something is left out or refused. */
    static long errors(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.level() == Finding.Level.ERROR)
                .count();
    }

    private static String level(Finding finding) {
        return finding.level().name().toLowerCase(Locale.ROOT);
    }
}
