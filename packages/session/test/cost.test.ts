// Verifies: SSOT 3.8, F16: what a step writes and reads does not grow with the session; the ledger of SSOT 4.6.
import { createMemoryStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openSession } from "../src/index.ts";
import { result, runs, says, user } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { intercepted, recording } from "./support/stores.ts";

/** As small as a renderer can be, so that 2,000 steps take no time. */
const lean = {
  contract: "renderer/1",
  layout: "lean/1",
  residency: "rendered",
  render: (view: { readonly log: readonly unknown[] }) => {
    const text = `${view.log.length}`;
    const message = { id: text, role: "user" as const, text, chars: 1_000 };
    return { layout: "lean/1", system: "", messages: [message], chars: 1_000, kept: { messages: 0, chars: 400 } };
  },
} as const;

describe("2,000 steps", () => {
  it("write as much at the end as at the beginning, and read nothing", async () => {
    const { store, commits } = recording(createMemoryStore());
    let reads = 0;
    const counted = intercepted(store, {
      before: (method) => {
        if (method !== "commit") reads += 1;
      },
    });
    const session = await openSession({ store: counted, layout: { policy: quietPolicy, renderer: lean } });
    const readsAtStart = reads;
    commits.length = 0;
    for (let n = 0; n < 2_000; n += 1) {
      if (n % 10 === 0) await session.receive([user("next")]);
      await session.assemble();
      await session.record(runs(result(`call_${n}`, "small output")));
    }

    const costs = commits.map(({ writes }) => {
      const sizes = writes.map(({ document }) => [document.type, JSON.stringify(document).length] as const);
      const chars = (isKeyframe: boolean) =>
        sizes.reduce((sum, [type, size]) => sum + ((type === "keyframe") === isKeyframe ? size : 0), 0);
      const lists = writes.some(({ document }) => document.index !== undefined);
      return { documents: writes.length, chars: chars(false), keyframeChars: chars(true), lists };
    });

    expect(reads - readsAtStart).toBe(0);
    expect(costs).toHaveLength(2_000);
    const early = largest(costs.slice(100, 200));
    const late = largest(costs.slice(-100));
    // Numbers have more digits at the end.
    expect(late - early).toBeLessThan(80);
    // Every hundredth step holds the state; the sets in full are listed ever less often, and at other steps.
    const keyframes = costs.flatMap(({ keyframeChars, lists }, n) =>
      keyframeChars > 0 ? { n, keyframeChars, lists } : [],
    );
    const listed = keyframes.filter(({ lists }) => lists).map(({ n }) => n);
    expect(listed.slice(0, 3)).toEqual([100, 200, 320]);
    expect(keyframes.filter(({ lists }) => !lists).map(({ n }) => n + 1)).toEqual(
      Array.from({ length: 20 }, (_, place) => 100 * (place + 1)),
    );
    expect(costs.filter(({ documents }) => documents === 5)).toHaveLength(keyframes.length);
    // Ids such as "call_1999", quoted: so much for each step, however long the session is.
    const charsPerStep = 8 * 12;
    for (const [place, { n, lists, keyframeChars }] of keyframes.entries()) {
      if (!lists) continue;
      const before = keyframes.slice(0, place).findLast((one) => one.lists)?.n ?? -1;
      expect(keyframeChars).toBeLessThan(500 + (n - before) * charsPerStep);
    }
    // What keyframes say of a step, with the facts of its request, does not grow either.
    const states = keyframes.filter(({ lists }) => !lists).map(({ keyframeChars }) => keyframeChars);
    expect(Math.max(...states)).toBeLessThan(100 * 250);
  });
});

describe("the ledger", () => {
  it("counts billed characters, and those of the plain log, at the session's prices", async () => {
    const store = createMemoryStore();
    const open = {
      store,
      layout: { policy: quietPolicy, renderer: lean },
      prices: { read: 0.1, write: 2 },
      headChars: 100,
    };
    const session = await openSession({ ...open, session: "s" });
    await session.receive([user("12345")]);
    await session.assemble();
    await session.record(runs(result("c", "1234567")));
    const first = session.view().ledger;
    await session.assemble();
    await session.record(says("done"));

    const args = JSON.stringify({ command: "c" }).length;
    expect(first).toEqual({
      requests: 1,
      // No cache has anything of a first request.
      billed: 2 * (1_000 + 100),
      plainBilled: 2 * (5 + 100),
      plainChars: 5,
      headChars: 100,
    });
    expect(session.view().ledger).toEqual({
      requests: 2,
      billed: first.billed + 0.1 * (400 + 100) + 2 * (1_000 - 400),
      plainBilled: first.plainBilled + 0.1 * (5 + 100) + 2 * (args + 7),
      plainChars: 5 + args + 7,
      headChars: 100,
    });
    expect((await openSession({ ...open, session: "s" })).view().ledger).toEqual(session.view().ledger);
  });
});

function largest(costs: readonly { readonly chars: number }[]): number {
  return Math.max(...costs.map(({ chars }) => chars));
}
