package io.sluice.service.fault;

/** Who has to do something about a failure. */
public enum Fault {
    NOBODY,
    /** The caller: the same request will be refused again as long as the state is the same. */
    CALLER,
    /** Nobody: the same may succeed a moment later. */
    TEMPORARY,
    /** Us: a bug. */
    OURS,
    /** The operator: this process cannot go on until something outside of it is put right and it is started again. */
    RESTART
}
