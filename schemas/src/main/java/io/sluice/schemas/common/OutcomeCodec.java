package io.sluice.schemas.common;

/** Outcomes to and from the bytes of the outcomes topic and of the outcome rows. Thread-safe. */
public final class OutcomeCodec {
    private final SingleObject singleObject;

    public OutcomeCodec(SingleObject singleObject) {
        this.singleObject = singleObject;
    }

    public static byte[] encode(Outcome o) {
        return SingleObject.encode(new io.sluice.avro.Outcome(
                o.commandId(),
                o.code().name(),
                o.message(),
                o.catalog(),
                o.flowId(),
                o.flowName(),
                o.revision(),
                o.applied(),
                o.position().toString(),
                o.who(),
                o.flownodeId(),
                o.regionId()));
    }

    /** @throws UndecodableException if the bytes are not an outcome this version understands */
    public Outcome decode(byte[] bytes) {
        io.sluice.avro.Outcome o = singleObject.decode(bytes, io.sluice.avro.Outcome.class);
        OutcomeCode code;
        Position position;
        try {
            code = OutcomeCode.valueOf(o.getCode());
            position = Position.parse(o.getPosition());
        } catch (IllegalArgumentException e) {
            throw new UndecodableException(
                    "outcome of command " + Texts.shortened(o.getCommandId()) + " has code \""
                            + Texts.shortened(o.getCode()) + "\" and position \"" + Texts.shortened(o.getPosition())
                            + "\", which this version does not understand",
                    e);
        }
        return new Outcome(
                o.getCommandId(),
                code,
                o.getMessage(),
                o.getCatalog(),
                o.getFlownodeId(),
                o.getRegionId(),
                o.getFlowId(),
                o.getFlowName(),
                o.getRevision(),
                o.getApplied(),
                position,
                o.getWho());
    }
}
