package io.sluice.service.address;

import static io.sluice.client.TryAgainException.orTryAgain;

import io.sluice.client.TryAgainException;
import io.sluice.schemas.common.Cursor;
import io.sluice.schemas.common.Partitions;
import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flownode.AddressKey;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.FlownodeRecordCodec;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the records of the addresses topic, one after the other, and gives snapshots of what they come to.
 *
 * <p>Not thread-safe. The last record of a key counts: epochs were compared when it was decided to write it. A record that cannot
 * be read is logged, and what its key said before stays.
 */
final class AddressFold {
    private static final Logger LOG = LoggerFactory.getLogger(AddressFold.class);

    private final FlownodeRecordCodec codec;
    private final SingleObject singleObject;
    private final Map<Long, String> addresses = new HashMap<>();
    private final List<Cursor> cursors;
    /** Of these flownodes a record was read: what was known before does not count. */
    private final Set<Long> met = new HashSet<>();
    /** Of these flownodes a record was met that says an address, be it readable or not. */
    private final Set<Long> registered = new HashSet<>();
    /** The addresses of the last snapshot, if they are still the same: most records are cursors. */
    private Map<Long, String> copied;

    AddressFold(SingleObject singleObject, int partitionCount) {
        this.codec = new FlownodeRecordCodec(singleObject);
        this.singleObject = singleObject;
        this.cursors = Arrays.asList(new Cursor[partitionCount]);
        Collections.fill(cursors, Cursor.START);
    }

    /** @throws TryAgainException if its schema cannot be looked up now */
    void apply(ConsumerRecord<byte[], byte[]> record) {
        try {
            if (record.key() == null) {
                throw new UndecodableException("it has no key");
            }
            if (AddressKey.isCursor(record.key())) {
                applyCursor(record);
            } else if (record.key().length == 0 || record.key()[0] != '_') {
                applyAddress(record);
            }
        } catch (TryAgainException | InterruptException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.warn(
                    "record {}-{}@{} cannot be read, what its key said before stays: {}",
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    Texts.shortened(e.toString()));
        }
    }

    /**
     * Takes over what was known before the topic was read anew, of flownodes whose records cannot be read; after a loss of
     * records, of those too that were not met. Positions never go back.
     */
    void keep(AddressSnapshot before, boolean recordsLost) {
        before.addresses().forEach((flownodeId, addr) -> {
            if (!met.contains(flownodeId) && (recordsLost || registered.contains(flownodeId))) {
                set(flownodeId, addr);
            }
        });
        for (int partition = 0; partition < cursors.size(); partition++) {
            advance(partition, before.cursors().get(partition));
        }
    }

    AddressSnapshot snapshot() {
        if (copied == null) {
            copied = Map.copyOf(addresses);
        }
        return new AddressSnapshot(copied, cursors);
    }

    private void applyCursor(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() != null) {
            advance(record.partition(), orTryAgain(() -> Cursor.decode(singleObject, record.value())));
        }
    }

    private void advance(int partition, Cursor cursor) {
        Cursor reached = cursors.get(partition);
        if (Long.compareUnsigned(cursor.decision(), reached.decision()) >= 0
                && cursor.commandOffset() >= reached.commandOffset()) {
            cursors.set(partition, cursor);
        }
    }

    private void applyAddress(ConsumerRecord<byte[], byte[]> record) {
        long flownodeId = AddressKey.decode(record.key());
        if (Partitions.of(U64.text(flownodeId), cursors.size()) != record.partition()) {
            throw new UndecodableException("flownode " + U64.text(flownodeId) + " belongs to another partition");
        }
        String addr = null;
        if (record.value() != null) {
            registered.add(flownodeId);
            FlownodeAddress address = orTryAgain(() -> codec.decodeAddress(record.value()));
            if (address.flownodeId() != flownodeId) {
                throw new UndecodableException("it says it is of flownode " + U64.text(address.flownodeId()));
            }
            addr = address.addr();
        }
        met.add(flownodeId);
        set(flownodeId, addr);
    }

    private void set(long flownodeId, String addr) {
        String before = addr == null ? addresses.remove(flownodeId) : addresses.put(flownodeId, addr);
        if (!Objects.equals(before, addr)) {
            copied = null;
        }
    }
}
