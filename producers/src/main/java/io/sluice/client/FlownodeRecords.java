package io.sluice.client;

import io.sluice.schemas.common.SingleObject;
import io.sluice.schemas.common.Texts;
import io.sluice.schemas.common.U64;
import io.sluice.schemas.common.UndecodableException;
import io.sluice.schemas.flow.FlowRecordCodec;
import io.sluice.schemas.flow.FlownodeRoute;
import io.sluice.schemas.flow.FlownodeRouteKey;
import io.sluice.schemas.flownode.AddressKey;
import io.sluice.schemas.flownode.FlownodeAddress;
import io.sluice.schemas.flownode.FlownodeRecordCodec;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Tells which records of a shared partition are about one flownode, and reads those; values of others are not looked at.
 * Thread-safe.
 *
 * <p>A record that says something else than its key is as unreadable as random bytes: whoever believed it would run what is not
 * theirs.
 */
final class FlownodeRecords {
    private final long flownodeId;
    private final byte[] ownPrefix;
    private final byte[] ownAddressKey;
    private final FlowRecordCodec routes;
    private final FlownodeRecordCodec addresses;

    FlownodeRecords(long flownodeId, SingleObject singleObject) {
        this.flownodeId = flownodeId;
        this.ownPrefix = (U64.text(flownodeId) + "/").getBytes(StandardCharsets.UTF_8);
        this.ownAddressKey = AddressKey.of(flownodeId);
        this.routes = new FlowRecordCodec(singleObject);
        this.addresses = new FlownodeRecordCodec(singleObject);
    }

    /**
     * Empty if the record is not about this flownode.
     *
     * @throws KafkaException if the schema of the record cannot be looked up now
     */
    Optional<RouteRecord> route(ConsumerRecord<byte[], byte[]> record) {
        if (!mayBeOurs(record.key())) {
            return Optional.empty();
        }
        FlownodeRouteKey key;
        try {
            key = key(record.key());
        } catch (UndecodableException e) {
            // What is taken away under such a key was never given to anybody.
            return record.value() == null
                    ? Optional.empty()
                    : Optional.of(new RouteRecord.Broken(record.offset(), null, unreadable(record, e)));
        }
        if (record.value() == null) {
            return Optional.of(new RouteRecord.Gone(record.offset(), key));
        }
        try {
            return Optional.of(new RouteRecord.Current(record.offset(), key, route(key, record.value())));
        } catch (KafkaException e) {
            throw e;
        } catch (RuntimeException e) {
            return Optional.of(new RouteRecord.Broken(record.offset(), key, unreadable(record, e)));
        }
    }

    /**
     * Empty if the record is not about this flownode.
     *
     * @throws KafkaException if the schema of the record cannot be looked up now
     */
    Optional<AddressRecord> address(ConsumerRecord<byte[], byte[]> record) {
        if (!Arrays.equals(record.key(), ownAddressKey)) {
            return Optional.empty();
        }
        if (record.value() == null) {
            return Optional.of(new AddressRecord.Gone());
        }
        try {
            FlownodeAddress address = addresses.decodeAddress(record.value());
            if (address.flownodeId() != flownodeId) {
                throw new UndecodableException("it says it is of flownode " + U64.text(address.flownodeId()));
            }
            return Optional.of(new AddressRecord.Registered(address.addr()));
        } catch (KafkaException e) {
            throw e;
        } catch (RuntimeException e) {
            return Optional.of(new AddressRecord.Broken(unreadable(record, e)));
        }
    }

    /** Keys of other flownodes and of Sluice itself are not; what is no text may be anybody's. */
    private boolean mayBeOurs(byte[] key) {
        if (key == null) {
            return true;
        }
        if (key.length > 0 && key[0] == '_') {
            return false;
        }
        int mismatch = Arrays.mismatch(key, ownPrefix);
        return mismatch < 0 || mismatch == ownPrefix.length || !isText(key);
    }

    private static FlownodeRouteKey key(byte[] bytes) {
        if (bytes == null) {
            throw new UndecodableException("it has no key");
        }
        FlownodeRouteKey key = FlownodeRouteKey.decode(bytes);
        if (!Arrays.equals(key.encode(), bytes)) {
            throw new UndecodableException("route key \"" + Texts.shortened(key.toString()) + "\" is not UTF-8");
        }
        return key;
    }

    private FlownodeRoute route(FlownodeRouteKey key, byte[] value) {
        FlownodeRoute route = routes.decodeRoute(value);
        FlownodeRouteKey said = new FlownodeRouteKey(
                route.peer().id(), route.flow().catalog(), route.flow().flowId(), route.partitionId());
        if (!said.equals(key)) {
            throw new UndecodableException("it says it is of " + Texts.shortened(said.toString()));
        }
        return route;
    }

    private static boolean isText(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static RouteEvent.Unreadable unreadable(ConsumerRecord<byte[], byte[]> record, RuntimeException why) {
        String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
        String reason = why instanceof UndecodableException ? why.getMessage() : why.toString();
        return new RouteEvent.Unreadable(
                record.topic(), record.partition(), record.offset(), Texts.shortened(key), Texts.shortened(reason));
    }
}
