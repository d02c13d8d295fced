package io.sluice.state.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.state.common.CursorRow;
import io.sluice.state.common.Keys;
import io.sluice.state.common.NoncanonicalKeyException;
import io.sluice.state.common.OutcomeIndex;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The bytes of row keys. They are frozen: a test here that has to change means that stored rows cannot be found. */
class FlowKeyTest {
    private static final String PLANT = "706c616e74";

    static Stream<Arguments> goldenKeys() {
        return Stream.of(
                golden(FlowInfoIndex.key("plant", 1030), "01" + PLANT + "00" + "00000406", FlowInfoIndex::decodeKey),
                golden(FlowIdAllocator.key("plant"), "02" + PLANT, FlowIdAllocator::decodeKey),
                golden(
                        FlowNameIndex.key("plant", "hourly"),
                        "03" + PLANT + "00" + "686f75726c79",
                        FlowNameIndex::decodeKey),
                golden(
                        FlowRouteIndex.key("plant", 1030, 1),
                        "04" + PLANT + "00" + "00000406" + "00000001",
                        FlowRouteIndex::decodeKey),
                golden(
                        FlownodeIndex.key("plant", 3, 1030, 0),
                        "05" + PLANT + "00" + "0000000000000003" + "00000406" + "00000000",
                        FlownodeIndex::decodeKey),
                golden(
                        SourceTableIndex.key("plant", 2048, 3, 1030, 0),
                        "06" + PLANT + "00" + "00000800" + "0000000000000003" + "00000406" + "00000000",
                        SourceTableIndex::decodeKey),
                golden(OutcomeIndex.key("plant", "c-1"), "07" + PLANT + "00" + "632d31", OutcomeIndex::decodeKey),
                golden(
                        OutcomeIndex.ageKey(1_782_886_500_000L, "plant", "c-1"),
                        "08" + "0000019f1c5106a0" + PLANT + "00" + "632d31",
                        OutcomeIndex::decodeAgeKey),
                // Largest numbers: every bit is used, and unsigned.
                golden(
                        SourceTableIndex.key("plant", 0xFFFF_FFFFL, -1, 0xFFFF_FFFFL, 0xFFFF_FFFFL),
                        "06" + PLANT + "00" + "ffffffff" + "ffffffffffffffff" + "ffffffff" + "ffffffff",
                        SourceTableIndex::decodeKey));
    }

    private static Arguments golden(byte[] key, String hex, Function<byte[], ?> decode) {
        return Arguments.of(hex, key, decode);
    }

    @ParameterizedTest
    @MethodSource("goldenKeys")
    void aKeyHasItsFrozenBytes(String hex, byte[] key, Function<byte[], ?> decode) {
        assertThat(Keys.hex(key)).isEqualTo(hex);
    }

    @Test
    void theCursorsKeyIsItsTag() {
        assertThat(Keys.hex(CursorRow.key())).isEqualTo("09");
    }

    @Test
    void keysDecodeToTheirParts() {
        assertThat(FlowInfoIndex.decodeKey(FlowInfoIndex.key("plant", 1030)))
                .isEqualTo(new FlowInfoIndex.Key("plant", 1030));
        assertThat(FlowIdAllocator.decodeKey(FlowIdAllocator.key("plant"))).isEqualTo("plant");
        assertThat(FlowNameIndex.decodeKey(FlowNameIndex.key("plant", "a/b`ü")))
                .isEqualTo(new FlowNameIndex.Key("plant", "a/b`ü"));
        assertThat(FlowRouteIndex.decodeKey(FlowRouteIndex.key("plant", 1030, 1)))
                .isEqualTo(new FlowRouteIndex.Key("plant", 1030, 1));
        assertThat(FlownodeIndex.decodeKey(FlownodeIndex.key("plant", -1, 1030, 0)))
                .isEqualTo(new FlownodeIndex.Key("plant", -1, 1030, 0));
        assertThat(SourceTableIndex.decodeKey(SourceTableIndex.key("plant", 2048, 3, 1030, 0)))
                .isEqualTo(new SourceTableIndex.Key("plant", 2048, 3, 1030, 0));
        assertThat(OutcomeIndex.decodeKey(OutcomeIndex.key("plant", "c-1")))
                .isEqualTo(new OutcomeIndex.Key("plant", "c-1"));
        assertThat(OutcomeIndex.decodeAgeKey(OutcomeIndex.ageKey(7, "plant", "c-1")))
                .isEqualTo(new OutcomeIndex.AgeKey(7, "plant", "c-1"));
    }

    @ParameterizedTest
    @MethodSource("goldenKeys")
    void aKeyOfAnotherFamilyIsRefused(String hex, byte[] key, Function<byte[], ?> decode) {
        byte[] other = key.clone();
        other[0] = 0x7F;
        expectRefused(decode, other);
    }

    @ParameterizedTest
    @MethodSource("goldenKeys")
    void anEmptyKeyIsRefused(String hex, byte[] key, Function<byte[], ?> decode) {
        expectRefused(decode, new byte[0]);
    }

    @ParameterizedTest
    @MethodSource("goldenKeys")
    void textThatIsNotUtf8IsRefused(String hex, byte[] key, Function<byte[], ?> decode) {
        byte[] broken = key.clone();
        broken[hex.indexOf(PLANT) / 2] = (byte) 0xFF;
        expectRefused(decode, broken);
    }

    static Stream<Arguments> keysThatEndInANumber() {
        return goldenKeys().filter(golden -> {
            byte tag = ((byte[]) golden.get()[1])[0];
            return List.of(FlowKeyFamily.INFO, FlowKeyFamily.ROUTE, FlowKeyFamily.FLOWNODE, FlowKeyFamily.SOURCE_TABLE)
                    .stream()
                    .anyMatch(family -> family.tag() == tag);
        });
    }

    @ParameterizedTest
    @MethodSource("keysThatEndInANumber")
    void aNumberThatIsCutOffIsRefused(String hex, byte[] key, Function<byte[], ?> decode) {
        expectRefused(decode, Arrays.copyOf(key, key.length - 1));
    }

    @ParameterizedTest
    @MethodSource("keysThatEndInANumber")
    void aByteTooManyIsRefused(String hex, byte[] key, Function<byte[], ?> decode) {
        expectRefused(decode, Arrays.copyOf(key, key.length + 1));
    }

    @ParameterizedTest
    @MethodSource("goldenKeys")
    void textWithoutItsEndIsRefused(String hex, byte[] key, Function<byte[], ?> decode) {
        if (key[0] != FlowKeyFamily.ALLOCATOR.tag()) {
            expectRefused(decode, Arrays.copyOf(key, hex.indexOf(PLANT) / 2 + 5));
        }
    }

    @Test
    void overlongUtf8IsRefusedSinceItWouldBeASecondFormOfTheSameName() {
        expectRefused(FlowNameIndex::decodeKey, HexFormat.of().parseHex("03" + PLANT + "00" + "c181"));
    }

    @ParameterizedTest
    @EnumSource(FlowKeyFamily.class)
    void aFamilysPrefixIsItsTag(FlowKeyFamily family) {
        assertThat(family.prefix()).containsExactly(family.ordinal() + 1);
        assertThat(family.tag()).isEqualTo((byte) (family.ordinal() + 1));
    }

    private static void expectRefused(Function<byte[], ?> decode, byte[] key) {
        assertThatThrownBy(() -> decode.apply(key))
                .isInstanceOf(NoncanonicalKeyException.class)
                .hasMessageContaining("row key " + Keys.hex(key) + ":")
                .hasMessageContaining("expected");
    }
}
