package io.sluice.service.bench;

import io.sluice.client.SluiceClient;
import io.sluice.schemas.common.Command;
import io.sluice.schemas.common.Outcome;
import java.util.concurrent.CompletableFuture;

/** Commands of benchmarks: none of them may be refused. Stateless. */
public final class Settled {
    private Settled() {}

    /** Sends a command; fails if it is refused. */
    public static CompletableFuture<Outcome> ok(SluiceClient client, Command command) {
        return client.send(command).thenApply(outcome -> {
            if (!outcome.isOk()) {
                throw new IllegalStateException("refused: " + outcome.code() + " " + outcome.message());
            }
            return outcome;
        });
    }
}
