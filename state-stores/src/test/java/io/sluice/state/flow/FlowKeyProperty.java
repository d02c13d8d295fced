package io.sluice.state.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.U32;
import io.sluice.state.common.NoncanonicalKeyException;
import io.sluice.state.common.OutcomeIndex;
import java.util.Arrays;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

/** Row keys are canonical: one thing, one key, whatever its parts are. */
class FlowKeyProperty {
    /** Every family with parts: how to make a key of any parts, and how to get from a key to its parts and back. */
    enum Family {
        INFO(p -> FlowInfoIndex.key(p.catalog, p.flow), key -> {
            FlowInfoIndex.Key k = FlowInfoIndex.decodeKey(key);
            return FlowInfoIndex.key(k.catalog(), k.flowId());
        }),
        ALLOCATOR(p -> FlowIdAllocator.key(p.catalog), key -> FlowIdAllocator.key(FlowIdAllocator.decodeKey(key))),
        NAME(p -> FlowNameIndex.key(p.catalog, p.tail), key -> {
            FlowNameIndex.Key k = FlowNameIndex.decodeKey(key);
            return FlowNameIndex.key(k.catalog(), k.flowName());
        }),
        ROUTE(p -> FlowRouteIndex.key(p.catalog, p.flow, p.partition), key -> {
            FlowRouteIndex.Key k = FlowRouteIndex.decodeKey(key);
            return FlowRouteIndex.key(k.catalog(), k.flowId(), k.partitionId());
        }),
        FLOWNODE(p -> FlownodeIndex.key(p.catalog, p.node, p.flow, p.partition), key -> {
            FlownodeIndex.Key k = FlownodeIndex.decodeKey(key);
            return FlownodeIndex.key(k.catalog(), k.flownodeId(), k.flowId(), k.partitionId());
        }),
        SOURCE_TABLE(p -> SourceTableIndex.key(p.catalog, p.table, p.node, p.flow, p.partition), key -> {
            SourceTableIndex.Key k = SourceTableIndex.decodeKey(key);
            return SourceTableIndex.key(k.catalog(), k.tableId(), k.flownodeId(), k.flowId(), k.partitionId());
        }),
        OUTCOME(p -> OutcomeIndex.key(p.catalog, p.tail), key -> {
            OutcomeIndex.Key k = OutcomeIndex.decodeKey(key);
            return OutcomeIndex.key(k.partitionKey(), k.commandId());
        }),
        OUTCOME_AGE(p -> OutcomeIndex.ageKey(p.node, p.catalog, p.tail), key -> {
            OutcomeIndex.AgeKey k = OutcomeIndex.decodeAgeKey(key);
            return OutcomeIndex.ageKey(k.decidedMs(), k.partitionKey(), k.commandId());
        });

        private final Function<Parts, byte[]> encode;
        private final Function<byte[], byte[]> recode;

        Family(Function<Parts, byte[]> encode, Function<byte[], byte[]> recode) {
            this.encode = encode;
            this.recode = recode;
        }
    }

    /** Parts of every kind; each family takes those it has. */
    record Parts(String catalog, String tail, long table, long node, long flow, long partition) {}

    @Property
    void infoKeysDecodeToTheirParts(@ForAll("parts") Parts p) {
        assertThat(FlowInfoIndex.decodeKey(Family.INFO.encode.apply(p)))
                .isEqualTo(new FlowInfoIndex.Key(p.catalog, p.flow));
    }

    @Property
    void allocatorKeysDecodeToTheirParts(@ForAll("parts") Parts p) {
        assertThat(FlowIdAllocator.decodeKey(Family.ALLOCATOR.encode.apply(p))).isEqualTo(p.catalog);
    }

    @Property
    void nameKeysDecodeToTheirParts(@ForAll("parts") Parts p) {
        assertThat(FlowNameIndex.decodeKey(Family.NAME.encode.apply(p)))
                .isEqualTo(new FlowNameIndex.Key(p.catalog, p.tail));
    }

    @Property
    void routeKeysDecodeToTheirParts(@ForAll("parts") Parts p) {
        assertThat(FlowRouteIndex.decodeKey(Family.ROUTE.encode.apply(p)))
                .isEqualTo(new FlowRouteIndex.Key(p.catalog, p.flow, p.partition));
    }

    @Property
    void flownodeKeysDecodeToTheirParts(@ForAll("parts") Parts p) {
        assertThat(FlownodeIndex.decodeKey(Family.FLOWNODE.encode.apply(p)))
                .isEqualTo(new FlownodeIndex.Key(p.catalog, p.node, p.flow, p.partition));
    }

    @Property
    void sourceTableKeysDecodeToTheirParts(@ForAll("parts") Parts p) {
        assertThat(SourceTableIndex.decodeKey(Family.SOURCE_TABLE.encode.apply(p)))
                .isEqualTo(new SourceTableIndex.Key(p.catalog, p.table, p.node, p.flow, p.partition));
    }

    @Property
    void outcomeKeysDecodeToTheirParts(@ForAll("parts") Parts p) {
        assertThat(OutcomeIndex.decodeKey(Family.OUTCOME.encode.apply(p)))
                .isEqualTo(new OutcomeIndex.Key(p.catalog, p.tail));
    }

    @Property
    void outcomeAgeKeysDecodeToTheirParts(@ForAll("parts") Parts p) {
        assertThat(OutcomeIndex.decodeAgeKey(Family.OUTCOME_AGE.encode.apply(p)))
                .isEqualTo(new OutcomeIndex.AgeKey(p.node, p.catalog, p.tail));
    }

    @Property
    void bytesThatAreAcceptedAreTheOnlyFormOfTheirParts(
            @ForAll Family family, @ForAll("parts") Parts parts, @ForAll("damage") Damage damage) {
        byte[] bytes = damage.done(family.encode.apply(parts));
        byte[] recoded;
        try {
            recoded = family.recode.apply(bytes);
        } catch (NoncanonicalKeyException refused) {
            return;
        }
        assertThat(recoded).isEqualTo(bytes);
    }

    @Property
    void u32PartsAreOrderedByValue(@ForAll @LongRange(max = U32.MAX) long a, @ForAll @LongRange(max = U32.MAX) long b) {
        assertThat(order(FlowInfoIndex.key("c", a), FlowInfoIndex.key("c", b))).isEqualTo(Long.compare(a, b));
        assertThat(order(FlowRouteIndex.key("c", 1, a), FlowRouteIndex.key("c", 1, b)))
                .isEqualTo(Long.compare(a, b));
        assertThat(order(SourceTableIndex.key("c", a, 1, 1, 1), SourceTableIndex.key("c", b, 1, 1, 1)))
                .isEqualTo(Long.compare(a, b));
    }

    @Property
    void u64PartsAreOrderedByUnsignedValue(@ForAll long a, @ForAll long b) {
        assertThat(order(FlownodeIndex.key("c", a, 1, 1), FlownodeIndex.key("c", b, 1, 1)))
                .isEqualTo(Integer.signum(Long.compareUnsigned(a, b)));
    }

    @Property
    void keysOfDifferentPartsDiffer(@ForAll("parts") Parts a, @ForAll("parts") Parts b) {
        assertThat(Arrays.equals(Family.NAME.encode.apply(a), Family.NAME.encode.apply(b)))
                .isEqualTo(a.catalog.equals(b.catalog) && a.tail.equals(b.tail));
    }

    private static int order(byte[] a, byte[] b) {
        return Integer.signum(Arrays.compareUnsigned(a, b));
    }

    /** A change to some byte of a key. */
    record Damage(int kind, int at, byte with) {
        byte[] done(byte[] key) {
            int position = Math.floorMod(at, key.length);
            byte[] damaged;
            switch (kind) {
                case 0 -> {
                    damaged = key.clone();
                    damaged[position] = with;
                }
                case 1 -> {
                    damaged = Arrays.copyOf(key, key.length + 1);
                    System.arraycopy(key, position, damaged, position + 1, key.length - position);
                    damaged[position] = with;
                }
                case 2 -> {
                    damaged = Arrays.copyOf(key, key.length - 1);
                    System.arraycopy(key, position + 1, damaged, position, key.length - position - 1);
                }
                case 3 -> {
                    damaged = Arrays.copyOf(key, key.length + 1);
                    damaged[key.length] = with;
                }
                default -> damaged = Arrays.copyOf(key, position);
            }
            return damaged;
        }
    }

    @Provide
    Arbitrary<Damage> damage() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 4),
                        Arbitraries.integers().between(0, 1_000),
                        Arbitraries.bytes())
                .as(Damage::new);
    }

    @Provide
    Arbitrary<Parts> parts() {
        Arbitrary<String> text = text();
        Arbitrary<Long> u32 = Arbitraries.longs().between(0, U32.MAX);
        return Combinators.combine(text, text, u32, Arbitraries.longs(), u32, u32)
                .as(Parts::new);
    }

    /** Any text but zero characters and half surrogate pairs, often short and alike. */
    private static Arbitrary<String> text() {
        Arbitrary<String> any = Arbitraries.strings()
                .withCharRange('\u0001', '\uD7FF')
                .withCharRange('\uE000', '\uFFFF')
                .ofMaxLength(12);
        return Arbitraries.oneOf(
                any,
                any.map(text -> text + "\uD83D\uDE00"),
                Arbitraries.of("a", "a-", "ab", "foo", "foobar", "foo-x", "\u0001"));
    }
}
