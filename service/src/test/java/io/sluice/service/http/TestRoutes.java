package io.sluice.service.http;

import io.sluice.service.json.FlowCommandJson;
import io.sluice.service.json.FlownodeCommandJson;
import io.sluice.service.json.RegionCommandJson;
import java.time.InstantSource;

/** The routes with nothing behind them. */
final class TestRoutes {
    private TestRoutes() {}

    static RouteTable table() {
        CommandSettler settler = new CommandSettler(null, Runnable::run, Runnable::run);
        return Routes.table(
                new FlowCommandEndpoints(new FlowCommandJson(InstantSource.system()), settler),
                new FlownodeCommandEndpoints(new FlownodeCommandJson(InstantSource.system()), settler),
                new RegionCommandEndpoints(new RegionCommandJson(InstantSource.system()), settler),
                new ServiceEndpoints(null, null, null));
    }
}
