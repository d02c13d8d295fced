package io.sluice.state.common;

/** Rows of a store that can be read, scanned and written. */
public interface RowStore extends RowScanner, RowWriter {}
