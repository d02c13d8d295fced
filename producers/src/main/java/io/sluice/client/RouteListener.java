package io.sluice.client;

/** Is told what a flownode has to run, one event after the other, on one thread. */
@FunctionalInterface
public interface RouteListener {
    /** What is thrown ends the follower: no event is passed over, and this one counts as not delivered. */
    void onEvent(RouteEvent event);
}
