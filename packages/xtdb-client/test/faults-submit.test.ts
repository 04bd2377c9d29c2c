// @module-tag xtdb
// Verifies: F3, F4: a submit goes out at most once, and what is said of its outcome is true.
import { type FaultRule, faults } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { isXtdbError, type Operation, put, type XtdbClient } from "../src/index.ts";
import {
  canaries,
  codeOf,
  deadlineMsFor,
  type FaultyNode,
  indiscretionOf,
  submitsOf,
  withFaultyNode,
} from "./support/fault-world.ts";

/** Faults that can be had with and without the target getting the request. */
const both = faults.filter(
  (fault) => !["refused", "reset", "redirect", "cut-in-reply", "truncated", "slow-drip"].includes(fault),
);
const cases: readonly FaultRule[] = [
  ...faults.map((fault) => ({ fault })),
  ...both.map((fault) => ({ fault, forward: false })),
];

const putText = (id: string): Operation => put({ "xt/id": id, text: canaries.content });

/** Over a clean connection, once all that was forwarded has been answered. */
async function isWritten(faulty: FaultyNode, id: string): Promise<boolean> {
  await faulty.proxy.settled();
  await faulty.direct.sync();
  return (await faulty.direct.entity(id)) !== undefined;
}

/** A client with a connection that it keeps, and the plan. */
async function clientBefore(faulty: FaultyNode, rule: FaultRule): Promise<XtdbClient> {
  const client = faulty.client({ deadlineMs: deadlineMsFor(rule.fault) });
  await faulty.proxy.plan([]);
  if (rule.fault !== "refused" || (rule.nth ?? 1) > 1) await client.status({ deadlineMs: 10_000 });
  await faulty.proxy.plan([rule]);
  return client;
}

withFaultyNode("submits through faults", (faulty) => {
  describe.each(cases)("$fault (forwarded: $forward)", (rule) => {
    it.each(["submit", "submitAndConfirm"] as const)(
      "%s: sent once; its error says whether it may be there",
      async (call) => {
        const id = faulty.freshId();
        const client = await clientBefore(faulty, rule);

        const error: unknown = await client[call]([putText(id)]).catch((reason) => reason);

        expect(codeOf(error)).toBe(codeOfSubmit(rule));
        expect(indiscretionOf(error)).toBeUndefined();
        // The call may be over before the proxy has had its turn.
        await expect.poll(() => submitsOf(faulty.proxy.seen).length).toBe(rule.fault === "refused" ? 0 : 1);
        expect(faulty.proxy.seen).toHaveLength(submitsOf(faulty.proxy.seen).length);
        const written = await isWritten(faulty, id);
        expect(written).toBe(submitsOf(faulty.proxy.seen)[0]?.targetStatus === 202);
        if (codeOf(error) === "xtdb/unreachable") expect(written).toBe(false);
        await client.close();
      },
    );
  });

  it("says unreachable without a listener, and another node takes the submit", async () => {
    const id = faulty.freshId();
    await faulty.proxy.plan([{ fault: "refused" }]);
    const client = faulty.client({ urls: [faulty.urls.faulty, faulty.urls.direct] });

    const { committed } = await client.submitAndConfirm([putText(id)]);

    expect([committed, await isWritten(faulty, id)]).toEqual([true, true]);
    await client.close();
  });

  it("does not take a submit to another node once it may have arrived", async () => {
    const id = faulty.freshId();
    await faulty.proxy.plan([{ fault: "reset", path: /\/submit-tx$/ }]);
    const client = faulty.client({ urls: [faulty.urls.faulty, faulty.urls.direct] });

    const error: unknown = await client.submit([putText(id)]).catch((reason) => reason);

    expect([codeOf(error), await isWritten(faulty, id)]).toEqual(["xtdb/unknown-outcome", false]);
    await client.close();
  });
});

withFaultyNode(
  "submits through faults to a node that does not wait",
  (faulty) => {
    describe.each(faults)("%s on the question whether it was committed", (fault) => {
      it("submitAndConfirm: says so by asking again, or that it does not know", async () => {
        const id = faulty.freshId();
        const client = await clientBefore(faulty, { fault, nth: 2 });

        const outcome: unknown = await client.submitAndConfirm([putText(id)]).catch((reason) => reason);

        expect(submitsOf(faulty.proxy.seen)).toMatchObject([{ targetStatus: 202, fault: undefined }]);
        if (isXtdbError(outcome)) {
          expect(outcome.code).toBe("xtdb/unknown-outcome");
          expect(indiscretionOf(outcome)).toBeUndefined();
          expect(await faulty.direct.isCommitted(Number(outcome.data.txId))).toBe(true);
        } else {
          expect(outcome).toMatchObject({ committed: true });
          expect(["reset", "cut-before-reply", "cut-in-reply", "not-http"]).toContain(fault);
        }
        expect(await isWritten(faulty, id)).toBe(true);
        await client.close();
      });
    });
  },
  { isUpstream: true },
);

/**
 * A reset may have come after the work was done, so a client can only know that it does not know. A redirect says that
 * nothing was done.
 */
function codeOfSubmit({ fault }: FaultRule): string {
  if (fault === "refused") return "xtdb/unreachable";
  return fault === "redirect" ? "xtdb/bad-answer" : "xtdb/unknown-outcome";
}
