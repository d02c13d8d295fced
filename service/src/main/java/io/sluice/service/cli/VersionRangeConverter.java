package io.sluice.service.cli;

import io.sluice.schemas.common.U64;
import io.sluice.service.manifest.VersionRange;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Purpose: a range of versions as an argument: {@code 1-15}, or as findings show it, {@code 1..15} and {@code 5}.
 *
 * <p>Threading: stateless.
 */
final class VersionRangeConverter implements ITypeConverter<VersionRange> {
    private static final Pattern RANGE = Pattern.compile("([0-9]+)(?:(?:-|\\.\\.)([0-9]+))?");

    @Override
    public VersionRange convert(String value) {
        Matcher matcher = RANGE.matcher(value);
        if (matcher.matches()) {
            Long first = U64.parseOrNull(matcher.group(1));
            Long last = matcher.group(2) == null ? first : U64.parseOrNull(matcher.group(2));
            if (first != null && last != null && Long.compareUnsigned(first, last) <= 0) {
                return new VersionRange(first, last);
            }
        }
        throw new TypeConversionException(
                "'" + value + "' is no range of versions FROM-TO, both included, such as 1-15");
    }
}
