package io.sluice.service.config;

import io.sluice.service.config.ReliedOn.Refusal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Purpose: collects the settings that are passed on to Kafka's clients, and says what cannot be passed on and what looks odd.
 *
 * <p>Threading: one thread.
 *
 * <p>Invariants: nothing that Sluice relies on is among them; their values are texts, since only Kafka knows more of a
 * plug-in's; a value is shown only when Kafka names it in a refusal, and then it is no secret.
 */
final class PassedOn {
    /** One change in so many letters still looks like a slip. */
    private static final int LETTERS_PER_SLIP = 4;

    private final Map<KafkaClient, Map<String, Object>> settings = new EnumMap<>(KafkaClient.class);
    private final List<String> warnings = new ArrayList<>();

    PassedOn() {
        for (KafkaClient client : KafkaClient.values()) {
            settings.put(client, new TreeMap<>());
        }
    }

    /**
     * @param given whose key begins with the client's prefix
     * @param problems gets a line if it cannot be passed on
     */
    void add(KafkaClient client, Given given, Consumer<String> problems) {
        String key = given.key().substring(client.prefix().length());
        Optional<Refusal> refusal = ReliedOn.refusal(client, key);
        if (refusal.isPresent()) {
            problems.accept(given.key() + " " + given.where() + " cannot be set: "
                    + refusal.get().inWords());
            return;
        }
        if (!client.knows(key)) {
            warnings.add(given.key() + " " + given.where() + " is passed on, but " + client.label()
                    + " have no setting " + key + " of their own" + likely(client, key));
        }
        client.objectionTo(key, given.value())
                .ifPresent(objection -> problems.accept(
                        given.key() + " " + given.where() + " is refused by Kafka: " + oneLine(objection)));
        settings.get(client).put(key, given.value());
    }

    /** What each kind of client gets, without its prefix. */
    Map<KafkaClient, Map<String, Object>> settings() {
        return settings;
    }

    List<String> warnings() {
        return warnings;
    }

    private static String likely(KafkaClient client, String key) {
        List<String> possible = client.names().stream()
                .filter(name -> ReliedOn.refusal(client, name).isEmpty())
                .sorted()
                .toList();
        String nearest = SettingNames.nearest(key, possible);
        return SettingNames.distance(key, nearest) <= key.length() / LETTERS_PER_SLIP
                ? ": did you mean " + client.prefix() + nearest + "?"
                : "";
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
