package io.sluice.state.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schemas.common.U32;
import io.sluice.state.flow.FlowTextKeys.Layout;
import io.sluice.state.flow.FlowTextKeys.TextKeyException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** One key, one text, in both layouts. */
class FlowTextKeysProperty {
    @Property
    void inLayoutFlowTaskAKeyIsItsText(@ForAll("keys") FlowTextKey key) {
        String text = FlowTextKeys.encode(key, Layout.FLOW_TASK);
        assertThat(FlowTextKeys.decode(text, Layout.FLOW_TASK)).isEqualTo(key);
    }

    @Property
    void inLayoutFlowAKeyIsItsTextButForTheCatalog(@ForAll("keys") FlowTextKey key) {
        String text = FlowTextKeys.encode(key, Layout.FLOW);
        FlowTextKey decoded = FlowTextKeys.decode(text, Layout.FLOW);
        assertThat(decoded.family()).isEqualTo(key.family());
        assertThat(decoded.catalog()).isEqualTo(key instanceof FlowTextKey.Name ? key.catalog() : null);
        assertThat(FlowTextKeys.encode(decoded, Layout.FLOW)).isEqualTo(text);
    }

    @Property
    void aTextThatIsAcceptedIsTheOnlyOneOfItsKey(
            @ForAll("keys") FlowTextKey key,
            @ForAll Layout layout,
            @ForAll @IntRange(max = 100) int at,
            @ForAll @IntRange(max = 2) int kind,
            @ForAll("characters") char with) {
        StringBuilder damaged = new StringBuilder(FlowTextKeys.encode(key, layout));
        int position = at % damaged.length();
        switch (kind) {
            case 0 -> damaged.setCharAt(position, with);
            case 1 -> damaged.insert(position, with);
            default -> damaged.deleteCharAt(position);
        }
        FlowTextKey decoded;
        try {
            decoded = FlowTextKeys.decode(damaged.toString(), layout);
        } catch (TextKeyException refused) {
            return;
        }
        assertThat(FlowTextKeys.encode(decoded, layout)).isEqualTo(damaged.toString());
    }

    @Property
    void noTextMakesDecodingFailOtherwise(@ForAll String text, @ForAll Layout layout) {
        try {
            FlowTextKeys.decode(layout.prefix() + text, layout);
        } catch (TextKeyException refused) {
            assertThat(refused).hasMessageContaining("expected " + layout.prefix());
        }
    }

    @Property
    void aRowsTextIsThatOfItsParts(@ForAll("keys") FlowTextKey key, @ForAll Layout layout) {
        assertThat(FlowTextKeys.ofRow(rowKey(key), layout)).contains(FlowTextKeys.encode(key, layout));
    }

    private static byte[] rowKey(FlowTextKey key) {
        if (key instanceof FlowTextKey.Name k) {
            return FlowNameIndex.key(k.catalog(), k.flowName());
        }
        if (key instanceof FlowTextKey.Info k) {
            return FlowInfoIndex.key(k.catalog(), k.flowId());
        }
        if (key instanceof FlowTextKey.Route k) {
            return FlowRouteIndex.key(k.catalog(), k.flowId(), k.partitionId());
        }
        if (key instanceof FlowTextKey.Flownode k) {
            return FlownodeIndex.key(k.catalog(), k.flownodeId(), k.flowId(), k.partitionId());
        }
        FlowTextKey.SourceTable k = (FlowTextKey.SourceTable) key;
        return SourceTableIndex.key(k.catalog(), k.tableId(), k.flownodeId(), k.flowId(), k.partitionId());
    }

    @Provide
    Arbitrary<Character> characters() {
        return Arbitraries.of('0', '1', '9', '/', '-', '+', '_', 'a', ' ', '\n', '\r', '\0', '\u0661', '\u00fc');
    }

    @Provide
    Arbitrary<FlowTextKey> keys() {
        Arbitrary<String> catalogs = Arbitraries.of("plant", "name", "info", "a", "a-", "a.b@c#d", ":", "_1");
        Arbitrary<Long> u32 = Arbitraries.longs().between(0, U32.MAX);
        Arbitrary<Long> u64 = Arbitraries.longs();
        Arbitrary<FlowTextKey> names =
                Combinators.combine(catalogs, flowNames()).as(FlowTextKey.Name::new);
        Arbitrary<FlowTextKey> infos = Combinators.combine(catalogs, u32).as(FlowTextKey.Info::new);
        Arbitrary<FlowTextKey> routes = Combinators.combine(catalogs, u32, u32).as(FlowTextKey.Route::new);
        Arbitrary<FlowTextKey> flownodes =
                Combinators.combine(catalogs, u64, u32, u32).as(FlowTextKey.Flownode::new);
        Arbitrary<FlowTextKey> sources =
                Combinators.combine(catalogs, u32, u64, u32, u32).as(FlowTextKey.SourceTable::new);
        return Arbitraries.oneOf(names, infos, routes, flownodes, sources);
    }

    private static Arbitrary<String> flowNames() {
        Arbitrary<String> odd = Arbitraries.strings()
                .withCharRange('\u0020', '\uD7FF')
                .withCharRange('\uE000', '\uFFFF')
                .ofMinLength(1)
                .ofMaxLength(12);
        return Arbitraries.oneOf(odd, Arbitraries.of("hourly", "a/b", "name/1", "\uD83D\uDE00", "1", "/"));
    }
}
