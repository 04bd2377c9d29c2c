// Verifies: F3, T15: whatever happens to a read on its way, its answer is right or a typed error, and it ends in time.
import { isDeepStrictEqual } from "node:util";
import { type Fault, type FaultProxy, faults, openFaultProxy } from "@cm/testkit";
import { startNode, whatIsMissing, type XtdbNode } from "@cm/xtdb-node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { connectXtdb, type XtdbErrorCode } from "../src/index.ts";
import {
  canaries,
  codeOf,
  createFaultWorld,
  type FaultWorld,
  faultyReads,
  indiscretionOf,
} from "./support/fault-world.ts";

/** These end a call only by its deadline. */
const endless: readonly Fault[] = ["never", "slow-drip"];

/** What a read may end in. "right": with the right answer, by asking again. */
const outcomes: Readonly<Record<Fault, "right" | XtdbErrorCode>> = {
  refused: "xtdb/unreachable",
  reset: "right",
  never: "xtdb/deadline",
  "cut-before-reply": "right",
  "cut-in-reply": "right",
  truncated: "xtdb/bad-answer",
  empty: "xtdb/bad-answer",
  garbage: "xtdb/bad-answer",
  "not-http": "right",
  "slow-drip": "xtdb/deadline",
  "wrong-type": "xtdb/bad-answer",
  redirect: "xtdb/bad-answer",
  "error-500": "xtdb/server",
};

/** The faulty request, and the same once more where that is worth it. Nothing else: no redirect is followed. */
function requestsOf(fault: Fault, path: string | undefined): readonly (string | undefined)[] {
  if (fault === "refused") return [];
  return outcomes[fault] === "right" ? [fault, path] : [fault];
}

requirement("a prepared XTDB node", () => whatIsMissing() === undefined)("reads through faults", () => {
  let node: XtdbNode;
  let world: FaultWorld;
  let proxy: FaultProxy;

  beforeAll(async () => {
    node = await startNode({ quick: true });
    world = await createFaultWorld(node.url);
    proxy = await openFaultProxy({ target: { host: "127.0.0.1", port: node.port }, dripMs: 2 });
  }, 60_000);

  afterAll(async () => {
    await proxy.close();
    await world.direct.close();
    await node.stop();
  });

  it.each(faults.flatMap((fault) => faultyReads.map((read) => ({ fault, ...read }))))(
    "$name through $fault",
    { timeout: 15_000 },
    async ({ fault, ask, isRight = isDeepStrictEqual }) => {
      const clean = await ask(world.direct, world);
      const client = connectXtdb({
        urls: proxy.url,
        token: canaries.token,
        deadlineMs: endless.includes(fault) ? 250 : 10_000,
      });
      await proxy.plan([]);
      // A connection that is kept is what a fault meets in practice; nobody takes a kept one for `refused`.
      if (fault !== "refused") await client.status({ deadlineMs: 10_000 });
      await proxy.plan([{ fault }]);

      const [outcome, error] = await ask(client, world).then(
        (answer) => [isRight(answer, clean) ? "right" : "wrong", undefined],
        (reason: unknown) => [codeOf(reason), reason],
      );

      expect(outcome).toBe(outcomes[fault]);
      expect(error && indiscretionOf(error)).toBeUndefined();
      expect(proxy.seen.map((seen) => seen.fault ?? seen.path)).toEqual(requestsOf(fault, proxy.seen.at(-1)?.path));
      await proxy.plan([]);
      expect(isRight(await ask(client, world), clean)).toBe(true);
      await client.close();
    },
  );
});
