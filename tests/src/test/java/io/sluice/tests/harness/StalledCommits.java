package io.sluice.tests.harness;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorSupplier;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.ProcessorWrapper;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.WrappedFixedKeyProcessorSupplier;
import org.apache.kafka.streams.processor.api.WrappedProcessorSupplier;

/** Keeps processors from asking for a commit, so that a transaction stays open for the whole commit interval. */
public final class StalledCommits implements ProcessorWrapper {
    @Override
    public <KIn, VIn, KOut, VOut> WrappedProcessorSupplier<KIn, VIn, KOut, VOut> wrapProcessorSupplier(
            String processorName, ProcessorSupplier<KIn, VIn, KOut, VOut> processorSupplier) {
        return () -> new Stalled<>(processorSupplier.get());
    }

    @Override
    public <KIn, VIn, VOut> WrappedFixedKeyProcessorSupplier<KIn, VIn, VOut> wrapFixedKeyProcessorSupplier(
            String processorName, FixedKeyProcessorSupplier<KIn, VIn, VOut> processorSupplier) {
        return ProcessorWrapper.asWrappedFixedKey(processorSupplier);
    }

    private static final class Stalled<KIn, VIn, KOut, VOut> implements Processor<KIn, VIn, KOut, VOut> {
        private final Processor<KIn, VIn, KOut, VOut> processor;

        Stalled(Processor<KIn, VIn, KOut, VOut> processor) {
            this.processor = processor;
        }

        @Override
        @SuppressWarnings("unchecked") // the proxy passes everything on to a context of these types
        public void init(ProcessorContext<KOut, VOut> context) {
            processor.init((ProcessorContext<KOut, VOut>) Proxy.newProxyInstance(
                    ProcessorContext.class.getClassLoader(),
                    new Class<?>[] {ProcessorContext.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("commit")) {
                            return null;
                        }
                        try {
                            return method.invoke(context, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }));
        }

        @Override
        public void process(Record<KIn, VIn> record) {
            processor.process(record);
        }

        @Override
        public void close() {
            processor.close();
        }
    }
}
