// Verifies: F3, F4: a submit goes out at most once, and what is said of its outcome is true.
import { randomUUID } from "node:crypto";
import { type Fault, type FaultProxy, type FaultRule, faults, openFaultProxy } from "@cm/testkit";
import { startNode, whatIsMissing, type XtdbNode } from "@cm/xtdb-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { connectXtdb, isXtdbError, put, type XtdbClient } from "../src/index.ts";
import {
  canaries,
  codeOf,
  createFaultWorld,
  type FaultWorld,
  freshDocument,
  indiscretionOf,
  submitsOf,
} from "./support/fault-world.ts";

const endless: readonly Fault[] = ["never", "slow-drip"];
const deadlineMs = (fault: Fault): number => (endless.includes(fault) ? 250 : 10_000);

/** Which faults can be had with and without the target getting the request. */
const both = faults.filter((fault) => !["refused", "reset", "cut-in-reply", "truncated", "slow-drip"].includes(fault));
const cases: readonly FaultRule[] = [
  ...faults.map((fault) => ({ fault })),
  ...both.map((fault) => ({ fault, forward: false })),
];

requirement("a prepared XTDB node", () => whatIsMissing() === undefined)("submits through faults", () => {
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

  /** Over a clean connection, once all that was forwarded has been answered. */
  async function isWritten(id: string): Promise<boolean> {
    await proxy.settled();
    await world.direct.sync();
    return (await world.direct.entity(id)) !== undefined;
  }

  /** A client with a connection that it keeps, and the plan. */
  async function clientBefore(rule: FaultRule): Promise<XtdbClient> {
    const client = connectXtdb({ urls: proxy.url, token: canaries.token, deadlineMs: deadlineMs(rule.fault) });
    await proxy.plan([]);
    if (rule.fault !== "refused" || (rule.nth ?? 1) > 1) await client.status({ deadlineMs: 10_000 });
    await proxy.plan([rule]);
    return client;
  }

  describe.each(cases)("$fault (forwarded: $forward)", (rule) => {
    it("submit: sent once; its error says whether it may be there", { timeout: 15_000 }, async () => {
      const id = randomUUID();
      const client = await clientBefore(rule);

      const error: unknown = await client.submit([put(freshDocument(id))]).catch((reason) => reason);

      expect(codeOf(error)).toBe(codeOfSubmit(rule));
      expect(indiscretionOf(error)).toBeUndefined();
      expect(submitsOf(proxy.seen).length).toBe(rule.fault === "refused" ? 0 : 1);
      expect(proxy.seen).toHaveLength(submitsOf(proxy.seen).length);
      const written = await isWritten(id);
      expect(written).toBe(submitsOf(proxy.seen)[0]?.targetStatus === 202);
      if (codeOf(error) === "xtdb/unreachable") expect(written).toBe(false);
      await client.close();
    });
  });

  describe.each(faults)("%s on the question whether it was committed", (fault) => {
    it("submitAndConfirm: says so by asking again, or that it does not know", { timeout: 15_000 }, async () => {
      const id = randomUUID();
      const client = await clientBefore({ fault, nth: 2 });

      const outcome: unknown = await client.submitAndConfirm([put(freshDocument(id))]).catch((reason) => reason);

      expect(submitsOf(proxy.seen)).toMatchObject([{ targetStatus: 202, fault: undefined }]);
      if (isXtdbError(outcome)) {
        expect(outcome.code).toBe("xtdb/unknown-outcome");
        expect(indiscretionOf(outcome)).toBeUndefined();
        expect(await world.direct.isCommitted(Number(outcome.data.txId))).toBe(true);
      } else {
        expect(outcome).toMatchObject({ committed: true });
        expect(["reset", "cut-before-reply", "cut-in-reply", "not-http"]).toContain(fault);
      }
      expect(await isWritten(id)).toBe(true);
      await client.close();
    });
  });

  it("says unreachable where nobody listens, and another node takes the submit", async () => {
    const id = randomUUID();
    await proxy.plan([{ fault: "refused" }]);
    const client = connectXtdb({ urls: [proxy.url, node.url] });

    const { committed } = await client.submitAndConfirm([put(freshDocument(id))]);

    expect([committed, await isWritten(id)]).toEqual([true, true]);
    await client.close();
  });

  it("does not take a submit to another node once it may have arrived", async () => {
    const id = randomUUID();
    await proxy.plan([{ fault: "reset", path: "/_xtdb/submit-tx" }]);
    const client = connectXtdb({ urls: [proxy.url, node.url] });

    const error: unknown = await client.submit([put(freshDocument(id))]).catch((reason) => reason);

    expect([codeOf(error), await isWritten(id)]).toEqual(["xtdb/unknown-outcome", false]);
    await client.close();
  });
});

/** A reset may have come after the work was done, so a client can only know that it does not know. */
function codeOfSubmit({ fault }: FaultRule): string {
  if (fault === "refused") return "xtdb/unreachable";
  return fault === "redirect" ? "xtdb/bad-answer" : "xtdb/unknown-outcome";
}
