package io.sluice.benchmarks.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UsageTest {
    @Test
    void addsUpTheTimesOfAProcessAndOfItsChildrenThatEnded() {
        String stat = "4711 (a (b) c) S 1 4711 4711 0 -1 4194560 100 200 0 0 150 50 30 20 20 0 40 0 12345 0 0";

        assertThat(Usage.cpuSeconds(stat)).isEqualTo(2.5);
    }

    @Test
    void takesThePartOfSharedMemoryThatIsItsOwn() {
        String rollup = "Rss:              9000 kB\nPss:              1024 kB\nPss_Dirty:         700 kB\n";

        assertThat(Usage.memoryBytes(rollup)).isEqualTo(1024 * 1024);
    }

    @Test
    void seesThisProcess() {
        Usage usage = Usage.of(ProcessHandle.current());

        assertThat(usage.cpuSeconds()).isPositive();
        assertThat(usage.memoryBytes()).isGreaterThan(1024 * 1024);
    }

    @Test
    void whatWasUsedSinceIsADifferenceAndWhatIsHeldIsNot() {
        assertThat(new Usage(5, 70).since(new Usage(2, 90))).isEqualTo(new Usage(3, 70));
    }
}
