package io.sluice.service.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Purpose: reads a properties file, in UTF-8, into settings.
 *
 * <p>Threading: functions only.
 *
 * <p>Invariants: settings come in the order of the file; what is in it twice is a problem and never silently the last one.
 */
final class SettingsFile {
    private static final int BYTE_ORDER_MARK = '\uFEFF';

    private SettingsFile() {}

    /**
     * @param problems gets a line for each
     * @throws SettingsException if the file cannot be read at all
     */
    static List<Given> read(Path file, Consumer<String> problems) {
        String where = "in " + file;
        ReadProperties properties = new ReadProperties();
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            reader.mark(1);
            if (reader.read() != BYTE_ORDER_MARK) {
                reader.reset();
            }
            properties.load(reader);
        } catch (NoSuchFileException e) {
            throw new SettingsException("there is no settings file " + file.toAbsolutePath(), e);
        } catch (CharacterCodingException e) {
            throw new SettingsException("settings file " + file + " is not UTF-8: save it as UTF-8", e);
        } catch (IOException e) {
            throw new SettingsException(
                    "settings file " + file + " cannot be read: " + e.getClass().getSimpleName() + ": "
                            + e.getMessage(),
                    e);
        } catch (IllegalArgumentException e) {
            throw new SettingsException(
                    "settings file " + file + " has a \\u without four hexadecimal digits behind it; a backslash is"
                            + " written as \\\\",
                    e);
        }
        for (String key : properties.repeated) {
            problems.accept(key + " is given more than once " + where + ": keep one of them");
        }
        List<Given> settings = new ArrayList<>();
        properties.inOrder.forEach((key, value) -> settings.add(new Given(key, value, where)));
        return settings;
    }

    /** Properties keeps the last of several values and no order; this one notices. */
    private static final class ReadProperties extends Properties {
        private static final long serialVersionUID = 1L;

        private final transient Map<String, String> inOrder = new LinkedHashMap<>();
        private final transient Set<String> repeated = new TreeSet<>();

        @Override
        public synchronized Object put(Object key, Object value) {
            if (inOrder.put(key.toString(), value.toString()) != null) {
                repeated.add(key.toString());
            }
            return super.put(key, value);
        }
    }
}
