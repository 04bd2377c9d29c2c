// @module-tag pi
// @module-tag long
// Verifies: SSOT 5.12: a Postgres store is made at the first use, and a server that is away or ends stops nothing.
import { withOwnPostgres } from "@cm/private-postgres/vitest";
import { openRpc } from "@cm/scripted-models/real-pi";
import { openPostgresStore } from "@cm/store-postgres";
import { describe, expect, it } from "vitest";
import { versionsFor, withPi } from "../support/with-pi.ts";
import { expectIn, expectManaged, isAllRight, openOutage, turn, untilStatus } from "./support/outage.ts";

withOwnPostgres("a Postgres", (own) => {
  describe.each(versionsFor("0.87.1"))("that comes and goes", (version) => {
    withPi(version, "while the model works", (stages) => {
      it("stops no request, and has everything when it answers", async () => {
        const { play, run } = await openOutage(stages, turn(0, 1));
        const { server } = own;
        const environment = { ...run.environment, CM_STORE: `${server.url}?schema=shared` };
        await server.halt();
        const rpc = await openRpc({ ...run, environment });
        await rpc.prompt("nobody is there");
        expect(rpc.status("cm")).toMatch(/2 steps not written · database offline: /);
        await server.start();
        await untilStatus(rpc, "that all is right", isAllRight);

        await server.kill();
        play.next(turn(1, 2));
        await rpc.prompt("it was killed");
        expect(rpc.status("cm")).toMatch(/not written · database offline: /);
        await server.start();
        await untilStatus(rpc, "that all is right", isAllRight);

        expect([rpc.extensionErrors, (await rpc.close()).stderr]).toEqual([[], ""]);
        expectManaged(play);
        const store = await openPostgresStore({ url: server.url, schema: "shared", migrate: false });
        await expectIn(store, 2);
        await store.close();
      });
    });
  });
});
