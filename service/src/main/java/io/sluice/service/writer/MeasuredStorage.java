package io.sluice.service.writer;

/** A storage whose writes are measured. As thread-safe as what it forwards to. */
final class MeasuredStorage extends ForwardingStorage {
    private final WriteListener listener;

    MeasuredStorage(ManifestStorage to, WriteListener listener) {
        super(to);
        this.listener = listener;
    }

    @Override
    public WriteOutcome write(OpenOrder open) {
        long sinceNanos = System.nanoTime();
        WriteOutcome outcome = super.write(open);
        listener.attempted(open.order().kind(), outcome, System.nanoTime() - sinceNanos);
        return outcome;
    }
}
