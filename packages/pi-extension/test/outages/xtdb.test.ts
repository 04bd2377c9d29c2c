// @module-tag pi
// @module-tag long
// Verifies: SSOT 5.12: a node of XTDB that is not there, is slow, or is started again stops nothing.
import { openRpc } from "@cm/scripted-models/real-pi";
import { whatIsMissing } from "@cm/xtdb-node";
import { describe, expect, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { versionsFor, withPi } from "../support/with-pi.ts";
import { expectIn, expectManaged, isAllRight, openOutage, turn, untilStatus } from "./support/outage.ts";
import { type OwnNode, ownNode } from "./support/own-node.ts";

interface Outage {
  readonly name: string;
  begin(node: OwnNode): Promise<void>;
  end(node: OwnNode): Promise<void>;
}

/** It hears all that it is asked, and its answers are lost. */
const silent: Outage = {
  name: "its answers get lost",
  begin: ({ proxy }) => proxy.plan([{ fault: "never", times: Number.POSITIVE_INFINITY }]),
  end: ({ proxy }) => proxy.plan([]),
};

const late = (delayMs: number) => async (node: OwnNode) => {
  node.way.delayMs = delayMs;
};

/** `CM_CAMPAIGN=1` takes minutes: a node needs seconds to start, and does everything for the first time then. */
const outages: readonly Outage[] =
  process.env.CM_CAMPAIGN === "1"
    ? [
        silent,
        { name: "it is killed", begin: (node) => node.kill(), end: (node) => node.start() },
        { name: "it answers after 5 s", begin: late(5_000), end: late(0) },
      ]
    : [silent];

requirement(whatIsMissing() ?? "an XTDB node", () => whatIsMissing() === undefined)("a node of XTDB", () => {
  describe.each(versionsFor("0.87.1"))("that comes and goes", (version) => {
    withPi(version, "while the model works", (stages) => {
      it("stops no request, and has everything when it answers", async () => {
        const { play, run } = await openOutage(stages, turn(0, 1));
        const node = await ownNode();
        // Before Pi asks for it in vain: it would ask ever less often while the node starts.
        await node.start();
        await node.proxy.plan([{ fault: "refused" }]);
        const rpc = await openRpc({
          ...run,
          environment: { ...run.environment, ...node.environment },
        });
        await rpc.prompt("nobody is there");
        expect(rpc.status("cm")).toMatch(/2 steps not written · database offline: /);
        await node.proxy.plan([]);
        await untilStatus(rpc, "that all is right", isAllRight);

        for (const [n, { name, begin, end }] of outages.entries()) {
          await begin(node);
          play.next(turn(1 + n, 2 + n));
          await rpc.prompt(name);
          expect(rpc.status("cm"), name).toMatch(/not written · database offline: /);
          await end(node);
          await untilStatus(rpc, "that all is right", isAllRight);
        }

        expect([rpc.extensionErrors, (await rpc.close()).stderr]).toEqual([[], ""]);
        expectManaged(play);
        await node.look((store) => expectIn(store, 1 + outages.length));
      });
    });
  });
});
