package io.sluice.service.greptime;

/** Takes what a file of keys and values holds, in its order. */
interface KeyValueRows {
    /**
     * A key and its value.
     *
     * @param place where it stands in the file, for people
     */
    void row(String place, String key, byte[] value);

    /**
     * What stands where a key and its value should.
     *
     * @param why it is none
     */
    void unreadable(String place, String why);
}
