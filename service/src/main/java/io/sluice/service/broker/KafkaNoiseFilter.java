package io.sluice.service.broker;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;

/**
 * Purpose: drops what Kafka says at the starts and stops of a healthy broker or instance, so that a warning on the terminal means
 * something. Named in logback.xml.
 *
 * <p>Threading: immutable.
 *
 * <p>Invariants: only the messages listed are dropped; everything else their loggers say passes.
 */
public final class KafkaNoiseFilter extends Filter<ILoggingEvent> {
    private static final List<Noise> NOISE = List.of(
            new Noise("org.apache.kafka.controller.QuorumController", "Performing controller activation.", ""),
            new Noise(
                    "org.apache.kafka.clients.NetworkClient",
                    "Attempting to close NetworkClient that has already been closed.",
                    ""),
            // Said of a configuration that Kafka Streams makes for itself, whatever ours says.
            new Noise("org.apache.kafka.streams.StreamsConfig", "not enabled for the GlobalThread", ""),
            // The broker asks its controller a moment before that has taken office, and asks again.
            new Noise("kafka.server.ControllerApis", "Unexpected error handling request", "NotControllerException"));

    /**
     * A message to drop.
     *
     * @param logger who says it
     * @param message a piece of it
     * @param cause simple name of the exception behind it, empty when none is asked for
     */
    private record Noise(String logger, String message, String cause) {
        boolean matches(ILoggingEvent event) {
            return event.getLoggerName().equals(logger)
                    && event.getFormattedMessage().contains(message)
                    && (cause.isEmpty() || hasCause(event.getThrowableProxy()));
        }

        private boolean hasCause(IThrowableProxy thrown) {
            for (IThrowableProxy proxy = thrown; proxy != null; proxy = proxy.getCause()) {
                if (proxy.getClassName().endsWith("." + cause)) {
                    return true;
                }
            }
            return false;
        }
    }

    @Override
    public FilterReply decide(ILoggingEvent event) {
        return NOISE.stream().anyMatch(noise -> noise.matches(event)) ? FilterReply.DENY : FilterReply.NEUTRAL;
    }
}
