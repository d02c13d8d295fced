package io.sluice.service.cli;

import picocli.CommandLine.Command;

/** Purpose: {@code sluice region}: regions and their manifests. */
@Command(
        name = "region",
        description = "Creates, changes, drops and looks up regions, and proves that a manifest directory is right.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RegionLookUps.All.class,
            RegionChanges.Create.class,
            RegionChanges.Alter.class,
            RegionChanges.Edit.class,
            RegionChanges.Flush.class,
            RegionChanges.Compact.class,
            RegionChanges.Truncate.class,
            RegionChanges.Index.class,
            RegionChanges.Discard.class,
            RegionChanges.Drop.class,
            RegionChanges.Role.class,
            RegionLookUps.Get.class,
            RegionLookUps.Files.class,
            RegionLookUps.Manifest.class,
            RegionLookUps.Admission.class,
            RegionLookUps.Removed.class,
            RegionLookUps.Deletable.class,
            RegionChanges.Deleted.class,
            RegionVerifyCommand.class
        })
final class RegionGroup {}
