package io.sluice.schemas.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** One key, one form: a key that decodes is what encoding gives, byte for byte, so no command has two keys. */
class CommandKeyProperty {
    @Property
    void aDecodedKeyEncodesToTheSameBytes(@ForAll("keyLikeBytes") byte[] bytes) {
        CommandKey key;
        try {
            key = CommandKey.decode(bytes);
        } catch (UndecodableException e) {
            return;
        }

        assertThat(key.encode()).isEqualTo(bytes);
    }

    @Property
    void anEncodedKeyDecodesToItself(@ForAll("keys") CommandKey key) {
        assertThat(CommandKey.decode(key.encode())).isEqualTo(key);
    }

    @Provide
    Arbitrary<CommandKey> keys() {
        Arbitrary<String> partitionKeys =
                Arbitraries.strings().withChars("a/_ .流\u00e9\n").ofMinLength(1).ofMaxLength(20);
        return Combinators.combine(partitionKeys, commandIds()).as(CommandKey::new);
    }

    @Provide
    Arbitrary<byte[]> keyLikeBytes() {
        Arbitrary<String> heads = Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(20),
                Arbitraries.strings().withChars("a/流").ofMaxLength(5));
        Arbitrary<byte[]> texts = Combinators.combine(heads, commandIds())
                .as((head, id) -> (head + "/" + id).getBytes(StandardCharsets.UTF_8));
        return Arbitraries.oneOf(texts, Arbitraries.bytes().array(byte[].class).ofMaxSize(40));
    }

    private static Arbitrary<String> commandIds() {
        return Arbitraries.strings()
                .withCharRange('a', 'z')
                .withCharRange('0', '9')
                .withChars("AZ._:-")
                .ofMinLength(1)
                .ofMaxLength(128);
    }
}
