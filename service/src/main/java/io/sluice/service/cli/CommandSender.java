package io.sluice.service.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.client.CommandIds;
import io.sluice.service.client.Reply;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.client.ServiceException;
import java.util.Map;

/**
 * Purpose: sends a command with an id that is known on this side, so that its outcome can be asked for whatever happens to
 * the answer.
 *
 * <p>Threading: thread-safe.
 */
final class CommandSender {
    private static final String COMMAND_ID = "command_id";

    private final ServiceClient client;

    CommandSender(ServiceClient client) {
        this.client = client;
    }

    /**
     * What came back.
     *
     * @param commandId of the command that was sent
     * @param scope of the command
     * @param reply null when none came
     * @param failure why none came; null when one did
     */
    record Attempt(String commandId, CommandScope scope, Reply reply, ServiceException failure) {
        boolean isOk() {
            return reply != null && reply.isOk();
        }

        /** Whether the command may have been decided without anybody here knowing how. */
        boolean isUnknown() {
            return reply == null ? !failure.isCertainlyNotSent() : reply.isUnknown();
        }

        int exitCode() {
            if (failure != null) {
                return ExitCodes.UNREACHABLE;
            }
            return reply.isOk() ? ExitCodes.DONE : ExitCodes.FAILED;
        }

        /** What to tell people when it is not {@link #isOk()}. */
        String complaint(String serverUrl) {
            if (!isUnknown()) {
                return failure == null ? CommandFailure.codeAndMessage(reply) : failure.getMessage();
            }
            String why = failure == null ? "the service has not seen it in time" : failure.getMessage();
            return "the outcome of command " + commandId + " is unknown, it may have been decided or not: " + why
                    + "\nAsk again with: " + OutcomeText.askAgain(commandId, scope, serverUrl);
        }
    }

    /** The id in a command's body; one is made when there is none. */
    static String requireCommandId(ObjectNode body) {
        if (!body.hasNonNull(COMMAND_ID)) {
            body.put(COMMAND_ID, CommandIds.random());
        }
        return body.get(COMMAND_ID).asText();
    }

    /** Sends a command and waits for what comes back. */
    Attempt send(String method, String pathAndQuery, CommandScope scope, ObjectNode body, Map<String, String> headers) {
        String commandId = requireCommandId(body);
        try {
            return new Attempt(commandId, scope, client.send(method, pathAndQuery, body, headers), null);
        } catch (ServiceException e) {
            return new Attempt(commandId, scope, null, e);
        }
    }
}
