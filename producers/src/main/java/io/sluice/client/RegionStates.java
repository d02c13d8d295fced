package io.sluice.client;

import static io.sluice.client.TryAgainException.orTryAgain;

import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.region.Admission;
import io.sluice.schemas.region.RegionRecordCodec;
import io.sluice.schemas.region.RegionStateKey;
import io.sluice.schemas.region.RegionStateRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the records of the states topic come to, one after the other. The last record of a region counts, but never one of an older
 * epoch. Where records contradict each other, or cannot be read, the region is doubtful: it stalls until a newer record says what
 * it is.
 *
 * <p>Threading: one thread reads records, any looks things up, without a lock. Invariants: who finds a decision here finds every
 * state that it or an earlier one made; a doubtful region never admits.
 */
final class RegionStates {
    private static final Logger LOG = LoggerFactory.getLogger(RegionStates.class);
    /** A late record of a region that is gone comes soon or never. */
    private static final int GONE_REMEMBERED = 10_000;

    private final RegionRecordCodec codec;
    private final SingleObject singleObject;
    private final Map<Long, Held> regions = new ConcurrentHashMap<>();
    /** Of each partition, up to which decision its states are here. */
    private final AtomicLongArray decisions;

    // The reading thread only.
    private final boolean[] lateHeartbeats;

    private final Map<Long, Long> goneEpochs = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > GONE_REMEMBERED;
        }
    };

    /**
     * One region.
     *
     * @param isDoubtful whether the answer is a guess, and so a STALL
     */
    record Held(int partition, RegionAdmission answer, boolean isDoubtful) {
        private static Held doubtful(int partition, RegionAdmission known, String why) {
            return new Held(partition, known.stalled(why), true);
        }

        /** What is held when that one was held before. */
        private Held after(Held before) {
            if (before == null || answer.epoch() >= before.answer.epoch()) {
                return this;
            }
            if (isDoubtful) {
                return doubtful(partition, before.answer, answer.why());
            }
            boolean contradicts = before.answer.admission() == Admission.ADMIT && answer.admission() != Admission.ADMIT;
            return contradicts ? doubtful(partition, before.answer, contradiction(before)) : before;
        }

        private String contradiction(Held before) {
            return "its last record says " + answer.state() + " as of epoch " + answer.epoch() + ", one before it said "
                    + before.answer.state() + " as of epoch " + before.answer.epoch();
        }
    }

    RegionStates(SingleObject singleObject, int partitionCount) {
        this.codec = new RegionRecordCodec(singleObject);
        this.singleObject = singleObject;
        this.decisions = new AtomicLongArray(partitionCount);
        this.lateHeartbeats = new boolean[partitionCount];
    }

    // ---- any thread

    /** Null if there is no such region. */
    Held find(long regionId) {
        return regions.get(regionId);
    }

    /** The states here are at least those of this decision of the partition; 0 before the first. */
    long decision(int partition) {
        return decisions.get(partition);
    }

    // ---- the reading thread

    /**
     * Whether the record is a heartbeat of whoever decides the partition now.
     *
     * @throws TryAgainException if its schema cannot be looked up now
     */
    boolean read(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() != null && RegionStateKey.isInternal(record.key())) {
            return RegionStateKey.isHeartbeat(record.key()) && record.value() != null && readHeartbeat(record);
        }
        long regionId;
        try {
            regionId = regionId(record);
        } catch (UndecodableException e) {
            LOG.warn("{}, it is left out: {}", unreadable(record), Texts.shortened(e.getMessage()));
            return false;
        }
        if (record.value() == null) {
            Held was = regions.remove(regionId);
            if (was != null) {
                gone(regionId, was.answer().epoch());
            }
        } else {
            hold(regionId, readState(regionId, record));
        }
        return false;
    }

    /** To read the topic into anew. Not to be looked at before {@link #completes}. */
    RegionStates anew() {
        RegionStates next = new RegionStates(singleObject, decisions.length());
        for (int partition = 0; partition < decisions.length(); partition++) {
            next.decisions.set(partition, decision(partition));
        }
        return next;
    }

    /**
     * The topic was read to take the place of what was known before: regions that are not here any more are gone, and none goes
     * back to an older epoch.
     */
    void completes(RegionStates before) {
        before.goneEpochs.forEach((regionId, epoch) -> {
            regions.computeIfPresent(
                    regionId, (id, held) -> held.isDoubtful() || held.answer().epoch() > epoch ? held : null);
            gone(regionId, epoch);
        });
        before.regions.forEach((regionId, was) -> {
            if (regions.computeIfPresent(regionId, (id, held) -> held.after(was)) == null) {
                gone(regionId, was.answer().epoch());
            }
        });
    }

    private void hold(long regionId, Held now) {
        Held was = regions.get(regionId);
        Long goneEpoch = was == null ? goneEpochs.get(regionId) : null;
        if (goneEpoch != null && !now.isDoubtful() && now.answer().epoch() <= goneEpoch) {
            LOG.warn(
                    "region {} is gone since epoch {}: a record of epoch {} is left out",
                    U64.text(regionId),
                    goneEpoch,
                    now.answer().epoch());
            return;
        }
        Held held = now.after(was);
        if (held.isDoubtful()) {
            LOG.warn(
                    "region {} stalls until a newer record says what it is: {}",
                    U64.text(regionId),
                    held.answer().why());
        }
        regions.put(regionId, held);
    }

    private void gone(long regionId, long epoch) {
        goneEpochs.merge(regionId, epoch, Math::max);
    }

    private long regionId(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null) {
            throw new UndecodableException("it has no key");
        }
        long regionId = RegionStateKey.decode(record.key());
        if (Partitions.of(U64.text(regionId), decisions.length()) != record.partition()) {
            throw new UndecodableException("region " + U64.text(regionId) + " belongs to another partition");
        }
        return regionId;
    }

    /** What cannot be read may say anything: only that nothing older holds any more is sure. */
    private Held readState(long regionId, ConsumerRecord<byte[], byte[]> record) {
        try {
            RegionStateRecord state = orTryAgain(() -> codec.decodeState(record.value()));
            if (state.regionId() != regionId) {
                throw new UndecodableException("it says it is of region " + U64.text(state.regionId()));
            }
            return new Held(record.partition(), RegionAdmission.of(state), false);
        } catch (TryAgainException | InterruptException e) {
            throw e;
        } catch (RuntimeException e) {
            Held was = regions.get(regionId);
            return Held.doubtful(
                    record.partition(),
                    was == null ? RegionAdmission.UNKNOWN : was.answer(),
                    unreadable(record) + ": " + Texts.shortened(e.toString()));
        }
    }

    private boolean readHeartbeat(ConsumerRecord<byte[], byte[]> record) {
        int partition = record.partition();
        Cursor cursor;
        try {
            cursor = orTryAgain(() -> Cursor.decode(singleObject, record.value()));
        } catch (TryAgainException | InterruptException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.warn("{}, it is no heartbeat: {}", unreadable(record), Texts.shortened(e.toString()));
            return false;
        }
        long known = decisions.get(partition);
        boolean isLate = cursor.decision() < known;
        if (!isLate) {
            decisions.set(partition, cursor.decision());
        } else if (!lateHeartbeats[partition]) {
            LOG.warn(
                    "heartbeat {}-{}@{} counts {} decisions, one before it counted {}: either it is the late one of an instance"
                            + " that decides no more, or decisions were lost. It proves nothing",
                    record.topic(),
                    partition,
                    record.offset(),
                    cursor.decision(),
                    known);
        }
        lateHeartbeats[partition] = isLate;
        return !isLate;
    }

    private static String unreadable(ConsumerRecord<byte[], byte[]> record) {
        return "record " + record.topic() + "-" + record.partition() + "@" + record.offset() + " cannot be read";
    }
}
