package io.sluice.tests.architecture.broken.state.flow;

import io.sluice.tests.architecture.broken.topology.flow.ImpureDecider;
import org.apache.kafka.common.utils.Bytes;

/** An index that knows who decides, and Kafka. */
public class KnowsDecider {
    ImpureDecider decider;
    Bytes key;
}
