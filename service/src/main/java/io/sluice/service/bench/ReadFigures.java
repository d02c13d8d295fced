package io.sluice.service.bench;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What look-ups took. Immutable.
 *
 * @param local of what the asked instance decides itself; empty when it decides none of it
 * @param forwarded of what another instance decides; empty when there is no other
 */
record ReadFigures(Optional<BenchFigures> local, Optional<BenchFigures> forwarded) {
    List<BenchFigures> all() {
        return Stream.concat(local.stream(), forwarded.stream()).toList();
    }

    String json() {
        return "{\"local\":" + json(local) + ",\"forwarded\":" + json(forwarded) + "}";
    }

    String text() {
        return String.join(
                System.lineSeparator(),
                "local      " + text(local, "the instance that was asked decides no partition"),
                "forwarded  " + text(forwarded, "the instance that was asked decides every partition"),
                "forwarded/local  " + ratio().orElse("none"));
    }

    private static String json(Optional<BenchFigures> figures) {
        return figures.map(BenchFigures::json).orElse("null");
    }

    private static String text(Optional<BenchFigures> figures, String whyNone) {
        return figures.map(BenchFigures::text).orElse("count 0: " + whyNone);
    }

    private Optional<String> ratio() {
        return local.flatMap(here -> forwarded.map(
                there -> String.format(Locale.ROOT, "%.2f", there.ratePerSecond() / here.ratePerSecond())));
    }
}
