package io.sluice.client;

import io.sluice.schemas.common.Outcome;
import java.util.concurrent.CompletableFuture;

/**
 * A command on its way.
 *
 * @param appended ends when the brokers have the command for good; exceptionally with {@link CommandNotSentException} when it
 *     certainly was not appended, or with {@link OutcomeUnknownException} when it may have been
 * @param outcome ends with the command's outcome, refusals included; exceptionally as {@code appended} does, or with {@link
 *     OutcomeUnknownException} when none came in time
 */
public record Submission(CompletableFuture<Void> appended, CompletableFuture<Outcome> outcome) {}
