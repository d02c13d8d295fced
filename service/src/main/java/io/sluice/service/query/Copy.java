package io.sluice.service.query;

/** Which copy of a partition's rows a look-up is made on. */
public enum Copy {
    /** The one whose task decides: what it does not find is not there. */
    ACTIVE,
    /**
     * The active one or a standby. A standby follows the changelog poll by poll, so it may lag behind and may show a part of a
     * command; what it does not find may be there all the same.
     */
    ANY
}
