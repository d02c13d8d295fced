package io.sluice.topology.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.junit.jupiter.api.Test;

/** When a commit is asked for (docs/kafka.md, E8 and E10). */
class IdleCommitTest {
    private final IdleCommit idleCommit = new IdleCommit();
    private final FakeTask first = new FakeTask();
    private final FakeTask second = new FakeTask();

    @Test
    void theFirstCommandArmsATickOfOneMillisecond() {
        first.decides();

        assertThat(first.armed).hasSize(1);
        assertThat(first.armed.get(0).interval).isEqualTo(Duration.ofMillis(1));
        assertThat(first.armed.get(0).type).isEqualTo(PunctuationType.WALL_CLOCK_TIME);
        assertThat(first.commits).isZero();
    }

    @Test
    void aThreadIsArmedOnceWhateverItDecides() {
        first.decides();
        first.decides();
        second.decides();

        assertThat(first.armed).hasSize(1);
        assertThat(second.armed).isEmpty();
    }

    @Test
    void anIdleThreadCommitsAtTheNextTickAndRests() {
        first.decides();
        first.tick();

        assertThat(first.commits).isEqualTo(1);
        assertThat(first.armed.get(0).cancelled).isTrue();
    }

    @Test
    void aBusyThreadIsLeftToTheCommitInterval() {
        first.decides();
        for (int i = 0; i < 100; i++) {
            first.decides();
            first.tick();
        }
        assertThat(first.commits).isZero();

        first.tick();
        assertThat(first.commits).isEqualTo(1);
    }

    @Test
    void aCommandOfAnotherTaskOfTheThreadKeepsItBusy() {
        first.decides();
        second.decides();
        first.tick();
        assertThat(first.commits).isZero();

        first.tick();
        assertThat(first.commits)
                .as("one commit is for all tasks of the thread")
                .isEqualTo(1);
        assertThat(second.commits).isZero();
    }

    @Test
    void theNextCommandAfterARestArmsAgain() {
        first.decides();
        first.tick();
        second.decides();

        assertThat(second.armed).hasSize(1);
        second.tick();
        assertThat(second.commits).isEqualTo(1);
        assertThat(first.commits).isEqualTo(1);
    }

    @Test
    void nothingTicksWhileNothingIsDecided() {
        first.decides();
        first.tick();

        assertThat(first.running()).isEmpty();
        assertThat(second.running()).isEmpty();
    }

    @Test
    void aTaskThatLeavesTakesItsTickWithItAndTheNextCommandArmsAnother() {
        first.decides();
        idleCommit.left(first);
        assertThat(first.running()).isEmpty();

        second.decides();
        assertThat(second.armed).hasSize(1);
        second.tick();
        assertThat(second.commits).isEqualTo(1);
    }

    @Test
    void aTaskThatDidNotArmLeavesTheTickAlone() {
        first.decides();
        second.decides();
        idleCommit.left(second);

        assertThat(first.running()).hasSize(1);
    }

    @Test
    void leavingTwiceOrWithoutHavingDecidedIsFine() {
        idleCommit.left(first);
        first.decides();
        idleCommit.left(first);
        idleCommit.left(first);

        assertThat(first.running()).isEmpty();
    }

    @Test
    void everyThreadHasATickOfItsOwn() throws InterruptedException {
        first.decides();
        Thread other = new Thread(second::decides);
        other.start();
        other.join();

        assertThat(first.armed).hasSize(1);
        assertThat(second.armed).hasSize(1);
        second.tick();
        assertThat(first.running())
                .as("the other thread's rest is not this one's")
                .hasSize(1);
    }

    /** A task on the test's thread; it is its own processor. */
    private final class FakeTask {
        private final List<FakePunctuator> armed = new ArrayList<>();
        private int commits;

        void decides() {
            idleCommit.decided(context(), this);
        }

        /** As a millisecond passes: what is armed and not cancelled ticks. */
        void tick() {
            running().forEach(punctuator -> punctuator.callback.punctuate(0));
        }

        List<FakePunctuator> running() {
            return armed.stream().filter(punctuator -> !punctuator.cancelled).toList();
        }

        /** Knows schedule and commit; anything else is not what an idle commit should touch. */
        private ProcessingContext context() {
            return (ProcessingContext) Proxy.newProxyInstance(
                    IdleCommitTest.class.getClassLoader(),
                    new Class<?>[] {ProcessingContext.class},
                    (proxy, method, arguments) -> {
                        switch (method.getName()) {
                            case "schedule" -> {
                                FakePunctuator punctuator = new FakePunctuator(
                                        (Duration) arguments[0], (PunctuationType) arguments[1], (Punctuator)
                                                arguments[2]);
                                armed.add(punctuator);
                                return punctuator;
                            }
                            case "commit" -> {
                                commits++;
                                return null;
                            }
                            default -> throw new UnsupportedOperationException(method.getName());
                        }
                    });
        }
    }

    private static final class FakePunctuator implements Cancellable {
        private final Duration interval;
        private final PunctuationType type;
        private final Punctuator callback;
        private boolean cancelled;

        private FakePunctuator(Duration interval, PunctuationType type, Punctuator callback) {
            this.interval = interval;
            this.type = type;
            this.callback = callback;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }
}
