// Verifies: F17: a session runs on while its database is offline, and nothing of it is lost or changed.
import { createMemoryStore, isSha256 } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession, rebuildPrompts } from "@cm/session";
import { verifyStore } from "@cm/session/verify";
import { forSeeds } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { createWriteBehindStore } from "../src/index.ts";
import { Gate, type GateState } from "./support/gate.ts";
import { type Played, play, step } from "./support/log-session.ts";
import { quickWait } from "./support/quick-wait.ts";

const ownIds = /^(call|late) \d+|^(step|keyframe|attachment):/;
const assumeAbsent = (id: string) => isSha256(id) || ownIds.test(id);

async function world() {
  const base = createMemoryStore();
  const gate = new Gate(base);
  const store = createWriteBehindStore(gate.store, { wait: quickWait, assumeAbsent });
  return { base, gate, store, played: await play(store) };
}

/**
 * Everything with a provisional receipt is in the base: prompts, sound documents, and a session that can be gone on
 * with.
 */
async function expectWhole(base: ReturnType<typeof createMemoryStore>, { prompts, session }: Played): Promise<void> {
  const rebuilt = [];
  for await (const one of rebuildPrompts(base, "s", rendererFor)) rebuilt.push(one);
  expect(rebuilt.map(({ prompt }) => prompt.messages)).toEqual(prompts.map(({ messages }) => messages));
  expect(rebuilt.every(({ hash, recordedHash, complete }) => complete && hash === recordedHash)).toBe(true);
  const findings = [];
  for await (const finding of verifyStore(base)) findings.push(finding);
  expect(findings).toEqual([]);
  const again = await openSession({ store: base, layout: layouts.log, rendererFor, session: "s", sweep: false });
  expect(again.wrapper()).toEqual(session.wrapper());
}

describe("a session over a base that goes offline", () => {
  it.each<GateState>(["down", "hanging", "lossy"])(
    "writes 50 steps while it is %s, and all are there later",
    async (state) => {
      const { base, gate, store, played } = await world();
      for (let n = 0; n < 3; n += 1) await step(played, n);
      gate.set(state);

      for (let n = 3; n < 53; n += 1) await step(played, n);
      const { attached, queuedCommits } = store.state;
      gate.set("open");
      const isWritten = await store.flush(1_000_000);
      await step(played, 53);

      expect({ attached: attached && state !== "lossy", isWritten }).toEqual({ attached: false, isWritten: true });
      expect(queuedCommits > 50 || state === "lossy").toBe(true);
      await expectWhole(base, played);
    },
  );

  it("goes on after it went offline in the middle of any call", async () => {
    const file = "packages/write-behind/test/session.test.ts";
    await forSeeds({ short: 6, long: 500, file }, async (random) => {
      const { base, gate, store, played } = await world();
      const states: readonly [GateState, ...GateState[]] = ["down", "hanging", "lossy", "open"];
      let calls = random.below(30);
      gate.beforeEach = async () => {
        calls -= 1;
        if (calls > 0) return;
        calls = random.below(30);
        gate.set(random.pick(states));
      };

      for (let n = 0; n < 12; n += 1) {
        await step(played, n);
        if (random.chance(0.3)) gate.set("open");
      }
      gate.beforeEach = async () => undefined;
      gate.set("open");

      expect(await store.flush(1_000_000)).toBe(true);
      await expectWhole(base, played);
    });
  });
});
