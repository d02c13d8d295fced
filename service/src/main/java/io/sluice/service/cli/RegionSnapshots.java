package io.sluice.service.cli;

import io.sluice.schemas.common.U64;
import io.sluice.schemas.region.RegionManifest;
import io.sluice.service.client.Reply;
import io.sluice.service.client.ServiceClient;
import io.sluice.service.json.JsonRefusedException;
import io.sluice.service.json.RegionManifestJson;
import java.nio.charset.StandardCharsets;

/** Purpose: the whole manifest of a region, as the service has it now. Stateless. */
final class RegionSnapshots {
    private RegionSnapshots() {}

    /** @throws CommandFailure if the service has none, or answers with something else */
    static RegionManifest lookUp(ServiceClient client, RegionParameter region) {
        Reply reply = client.get(region.path("manifest"));
        if (!reply.isOk()) {
            throw CommandFailure.refused(reply);
        }
        RegionManifest manifest;
        try {
            // Not from the tree: types and defaults of columns are kept as they are written.
            manifest = RegionManifestJson.readSnapshot(reply.text().getBytes(StandardCharsets.UTF_8), "the answer");
        } catch (JsonRefusedException e) {
            throw new CommandFailure(ExitCodes.FAILED, noManifest(client, e.getMessage()), e);
        }
        if (manifest == null) {
            throw new CommandFailure(ExitCodes.FAILED, noManifest(client, "the answer has no snapshot"));
        }
        String about = U64.text(manifest.metadata().regionId());
        if (!about.equals(region.id())) {
            throw new CommandFailure(ExitCodes.FAILED, noManifest(client, "its metadata is of region " + about));
        }
        return manifest;
    }

    private static String noManifest(ServiceClient client, String why) {
        return client.url() + " was asked for a manifest, and answered with something else: " + why
                + ". Does it run the same version of Sluice?";
    }
}
