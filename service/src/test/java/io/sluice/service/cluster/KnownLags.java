package io.sluice.service.cluster;

import io.sluice.schemas.common.FamilyPartition;
import java.lang.reflect.Field;
import java.util.Map;

/** How far copies are behind, as a test says. Stateless. */
public final class KnownLags {
    private KnownLags() {}

    /** @param byPartition of the copies that are held; what is not in it has none that is known */
    public static LocalLags of(Map<FamilyPartition, Long> byPartition) {
        LocalLags lags = new LocalLags(null);
        try {
            Field seen = LocalLags.class.getDeclaredField("byPartition");
            seen.setAccessible(true);
            seen.set(lags, Map.copyOf(byPartition));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
        return lags;
    }
}
