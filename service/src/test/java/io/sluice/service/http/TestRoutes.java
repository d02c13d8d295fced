package io.sluice.service.http;

import io.sluice.service.json.FlowCommandJson;
import java.time.InstantSource;

/** The routes with nothing behind them. */
final class TestRoutes {
    private TestRoutes() {}

    static RouteTable table() {
        return Routes.table(
                new FlowCommandEndpoints(
                        null, new FlowCommandJson(InstantSource.system()), Runnable::run, Runnable::run),
                new ServiceEndpoints(null));
    }
}
