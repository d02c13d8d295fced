package io.sluice.client;

/** What a record of the addresses topic says about one flownode. Immutable. */
sealed interface AddressRecord {
    record Registered(String addr) implements AddressRecord {}

    record Gone() implements AddressRecord {}

    record Broken(RouteEvent.Unreadable report) implements AddressRecord {}
}
