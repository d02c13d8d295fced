package io.sluice.service.cli;

/**
 * Purpose: what a command's id is unique within, as {@code sluice outcome} is told.
 *
 * <p>Threading: immutable.
 *
 * @param option of {@code sluice outcome}
 * @param value of the option
 */
record CommandScope(String option, String value) {
    static CommandScope catalog(String catalog) {
        return new CommandScope("--catalog", catalog);
    }

    static CommandScope flownode(String flownodeId) {
        return new CommandScope("--flownode", flownodeId);
    }

    static CommandScope region(String regionId) {
        return new CommandScope("--region", regionId);
    }
}
