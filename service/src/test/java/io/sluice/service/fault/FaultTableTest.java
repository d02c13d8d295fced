package io.sluice.service.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.CommandNotSentException;
import io.sluice.client.OutcomeUnknownException;
import io.sluice.service.json.JsonRefusedException;
import io.sluice.service.query.NotOwnerException;
import io.sluice.service.query.NotReadyException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.LockException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsStoppedException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FaultTableTest {
    private static final Map<Class<? extends Throwable>, Fault> EXPECTED = Map.ofEntries(
            Map.entry(FencedInstanceIdException.class, Fault.RESTART),
            Map.entry(MissingSourceTopicException.class, Fault.RESTART),
            Map.entry(AuthenticationException.class, Fault.RESTART),
            Map.entry(AuthorizationException.class, Fault.RESTART),
            Map.entry(UnsupportedVersionException.class, Fault.RESTART),
            Map.entry(ProcessorStateException.class, Fault.RESTART),
            Map.entry(OutOfMemoryError.class, Fault.RESTART),
            Map.entry(LinkageError.class, Fault.RESTART),
            Map.entry(JsonRefusedException.class, Fault.CALLER),
            Map.entry(RecordTooLargeException.class, Fault.CALLER),
            Map.entry(NotReadyException.class, Fault.TEMPORARY),
            Map.entry(CommandNotSentException.class, Fault.TEMPORARY),
            Map.entry(OutcomeUnknownException.class, Fault.TEMPORARY),
            Map.entry(RejectedExecutionException.class, Fault.TEMPORARY),
            Map.entry(RetriableException.class, Fault.TEMPORARY),
            Map.entry(ProducerFencedException.class, Fault.TEMPORARY),
            Map.entry(TaskMigratedException.class, Fault.TEMPORARY),
            Map.entry(TaskCorruptedException.class, Fault.TEMPORARY),
            Map.entry(LockException.class, Fault.TEMPORARY),
            Map.entry(InvalidStateStoreException.class, Fault.TEMPORARY));

    @Test
    void theseAreTheRows() {
        assertThat(FaultTable.rows()).hasSize(EXPECTED.size());
        assertThat(FaultTable.rows())
                .allSatisfy(row -> assertThat(row.fault()).as("%s", row.type()).isEqualTo(EXPECTED.get(row.type())));
    }

    @Test
    void everyRowSaysWhatToDoInASentenceWithoutItsFullStop() {
        assertThat(FaultTable.rows())
                .allSatisfy(row -> assertThat(row.remedy()).isNotBlank().doesNotEndWith("."));
    }

    @Test
    void noRowHidesALaterOne() {
        List<FaultTable.Row> rows = FaultTable.rows();
        for (int i = 0; i < rows.size(); i++) {
            for (FaultTable.Row later : rows.subList(i + 1, rows.size())) {
                assertThat(rows.get(i).type().isAssignableFrom(later.type()))
                        .as(
                                "%s would never be reached below %s",
                                later.type(), rows.get(i).type())
                        .isFalse();
            }
        }
    }

    @Test
    void whatCannotHealStandsAboveWhatCan() {
        List<Fault> order =
                FaultTable.rows().stream().map(FaultTable.Row::fault).toList();

        assertThat(order.lastIndexOf(Fault.RESTART)).isLessThan(order.indexOf(Fault.TEMPORARY));
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(Fault.RESTART, new FencedInstanceIdException("x")),
                Arguments.of(Fault.RESTART, new MissingSourceTopicException("x")),
                Arguments.of(Fault.RESTART, new AuthenticationException("x")),
                Arguments.of(Fault.RESTART, new SaslAuthenticationException("x")),
                Arguments.of(Fault.RESTART, new AuthorizationException("x")),
                Arguments.of(Fault.RESTART, new TopicAuthorizationException(Set.of("t"))),
                Arguments.of(Fault.RESTART, new TransactionalIdAuthorizationException("x")),
                Arguments.of(Fault.RESTART, new UnsupportedVersionException("x")),
                Arguments.of(Fault.RESTART, new ProcessorStateException("x")),
                Arguments.of(Fault.RESTART, new OutOfMemoryError("x")),
                Arguments.of(Fault.RESTART, new NoClassDefFoundError("x")),
                Arguments.of(Fault.RESTART, new UnsatisfiedLinkError("x")),
                Arguments.of(Fault.CALLER, new RecordTooLargeException("x")),
                Arguments.of(Fault.TEMPORARY, new NotReadyException("x", null, null)),
                Arguments.of(Fault.TEMPORARY, new RejectedExecutionException("x")),
                Arguments.of(Fault.TEMPORARY, new TimeoutException("x")),
                Arguments.of(Fault.TEMPORARY, new NotLeaderOrFollowerException("x")),
                Arguments.of(Fault.TEMPORARY, new ProducerFencedException("x")),
                Arguments.of(Fault.TEMPORARY, new TaskMigratedException("x")),
                Arguments.of(Fault.TEMPORARY, new TaskCorruptedException(Set.of(new TaskId(0, 1)))),
                Arguments.of(Fault.TEMPORARY, new LockException("x")),
                Arguments.of(Fault.TEMPORARY, new InvalidStateStoreException("x")),
                Arguments.of(Fault.TEMPORARY, new StreamsStoppedException("x")),
                Arguments.of(Fault.OURS, new IllegalStateException("x")),
                Arguments.of(Fault.OURS, new NullPointerException("x")),
                Arguments.of(Fault.OURS, new StreamsException("x")),
                Arguments.of(Fault.OURS, new KafkaException("x")),
                Arguments.of(Fault.OURS, new StackOverflowError("x")));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void eachThrowableIsSomebodysFault(Fault fault, Throwable failure) {
        assertThat(FaultTable.of(failure).fault()).isEqualTo(fault);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aCauseCountsHoweverDeepItLies(Fault fault, Throwable failure) {
        Throwable wrapped =
                new ExecutionException(new StreamsException("task 0_1", new RuntimeException("x", failure)));

        assertThat(FaultTable.of(wrapped).fault()).isEqualTo(fault);
    }

    @Test
    void notToOwnAPartitionIsTemporary() {
        assertThat(NotReadyException.class).isAssignableFrom(NotOwnerException.class);
    }

    @Test
    void anUnknownFailureIsABugThatAsksToBeReported() {
        assertThat(FaultTable.of(new IllegalStateException("x")).remedy()).contains("report");
    }

    @Test
    void whatCannotHealCountsEvenWhereItWasCausedByWhatCan() {
        Throwable disk = new ProcessorStateException("cannot write", new TimeoutException("x"));

        assertThat(FaultTable.of(disk).fault()).isEqualTo(Fault.RESTART);
    }

    @Test
    void whatCannotHealCountsEvenUnderWhatCan() {
        Throwable corrupted = new InvalidStateStoreException("x", new OutOfMemoryError("x"));

        assertThat(FaultTable.of(corrupted).fault()).isEqualTo(Fault.RESTART);
    }

    @Test
    void causesThatGoInACircleComeToAnEnd() {
        RuntimeException one = new RuntimeException("one");
        RuntimeException other = new RuntimeException("other", one);
        one.initCause(other);

        assertThat(FaultTable.of(one).fault()).isEqualTo(Fault.OURS);
    }

    @Test
    void aFutureWrapsNothingThatIsNotTakenOff() {
        RuntimeException failure = new RuntimeException("x", new IllegalStateException("y"));

        assertThat(FaultTable.unwrapped(new CompletionException(new CompletionException(failure))))
                .isSameAs(failure);
        assertThat(FaultTable.unwrapped(failure)).isSameAs(failure);
    }

    @Test
    void aWrapperAroundNothingIsItself() {
        CompletionException empty = new CompletionException("x", null);

        assertThat(FaultTable.unwrapped(empty)).isSameAs(empty);
    }

    @Test
    void everyRowHasAnExample() {
        Set<Class<?>> seen = new HashSet<>();
        failures()
                .forEach(one -> seen.add(FaultTable.of((Throwable) one.get()[1]).type()));

        // These are made by their own packages only: the error table's test has them.
        seen.addAll(List.of(JsonRefusedException.class, CommandNotSentException.class, OutcomeUnknownException.class));
        assertThat(seen).containsAll(EXPECTED.keySet());
    }
}
