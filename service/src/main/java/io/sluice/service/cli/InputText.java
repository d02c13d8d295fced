package io.sluice.service.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Purpose: the text of a file, or of standard input, that an option names.
 *
 * <p>Threading: one thread.
 */
final class InputText {
    private static final String STANDARD_INPUT = "-";

    private final String file;

    InputText(String file) {
        this.file = file;
    }

    /** What the source is called in messages. */
    static String name(String file) {
        return file.equals(STANDARD_INPUT) ? "standard input" : file;
    }

    /** @throws CommandFailure if it cannot be read, or is no UTF-8 */
    String read() {
        byte[] bytes = bytes();
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new CommandFailure(
                    ExitCodes.FAILED, name(file) + " is not text in UTF-8. Convert it; nothing was sent.", e);
        }
    }

    private byte[] bytes() {
        try {
            if (file.equals(STANDARD_INPUT)) {
                // Not closed: it is the process's.
                InputStream in = System.in;
                return in.readAllBytes();
            }
            return Files.readAllBytes(Path.of(file));
        } catch (NoSuchFileException e) {
            throw new CommandFailure(ExitCodes.FAILED, "there is no file " + file + ". Check the path after -f.", e);
        } catch (InvalidPathException | IOException e) {
            throw new CommandFailure(ExitCodes.FAILED, name(file) + " cannot be read: " + e, e);
        }
    }
}
