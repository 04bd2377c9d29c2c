// @module-tag xtdb
// @module-tag long
// Verifies: F3, T15: whatever happens to a read on its way, its answer is right or a typed error, and it ends in time.
import { isDeepStrictEqual } from "node:util";
import { type Fault, faults } from "@cm/testkit";
import { expect, it } from "vitest";
import type { XtdbErrorCode } from "../src/index.ts";
import { codeOf, deadlineMsFor, faultyReads, indiscretionOf, withFaultyNode } from "./support/fault-world.ts";

/** What a read ends in. "right": with the right answer, by asking again. */
const outcomes: Readonly<Record<Fault, "right" | XtdbErrorCode>> = {
  refused: "xtdb/unreachable",
  reset: "right",
  never: "xtdb/deadline",
  late: "xtdb/deadline",
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

// With a log of its own: where others write much of it meanwhile, half an answer is some pages, and the rest is asked for again.
withFaultyNode(
  "reads through faults",
  (faulty) => {
    it.each(faults.flatMap((fault) => faultyReads.map((read) => ({ fault, ...read }))))(
      "$name through $fault",
      async ({ fault, ask, isRight = isDeepStrictEqual }) => {
        const { proxy, world, direct } = faulty;
        const clean = await ask(direct, world);
        const client = faulty.client({ deadlineMs: deadlineMsFor(fault) });
        await proxy.plan([]);
        // In practice a fault affects a kept connection; `refused` never uses a kept one.
        if (fault !== "refused") await client.status({ deadlineMs: 10_000 });
        await proxy.plan([{ fault }]);

        const [outcome, error] = await ask(client, world).then(
          (answer) => [isRight(answer, clean) ? "right" : "wrong", undefined],
          (reason: unknown) => [codeOf(reason), reason],
        );

        expect(outcome).toBe(outcomes[fault]);
        expect(error && indiscretionOf(error)).toBeUndefined();
        // The call may be over before the proxy has had its turn.
        await expect.poll(() => proxy.seen[0]?.fault).toBe(fault === "refused" ? undefined : fault);
        // No redirect is followed, and what failed for good is not asked again.
        expect(proxy.seen.filter(({ path }) => path === "/redirected")).toEqual([]);
        if (outcome !== "right") expect(proxy.seen.length).toBeLessThanOrEqual(1);
        await proxy.plan([]);
        expect(isRight(await ask(faulty.client(), world), clean)).toBe(true);
        await client.close();
      },
    );
  },
  { isOwn: true },
);
