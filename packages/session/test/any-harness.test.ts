// @module-tag long
// Verifies: SSOT 4.4 (10), T19: whatever a harness hands over and when, a session in a window goes on, opens again as it was left,
// and has each request as it was sent.
import type { IncomingResult, IncomingUser } from "@cm/context-log";
import { createMemoryStore, isCmError, type ObjectStore } from "@cm/object-model";
import { layouts } from "@cm/render";
import { forSeeds, type Random } from "@cm/testkit";
import { expect, it } from "vitest";
import { openSession, rebuildPrompts, type Session } from "../src/index.ts";
import { type Finding, verifyStore } from "../src/verify.ts";

const steps = 120;
const bytesMax = 20_000;
const rendererFor = (layout: string) =>
  [layouts.log.renderer, layouts.ssot.renderer].find((renderer) => renderer.layout === layout);

/** How one harness behaves: how often a result comes late, or never, or for no call, and a person types. */
interface Habits {
  readonly late: number;
  readonly lost: number;
  readonly foreign: number;
  readonly prompt: number;
  readonly usesIdsAgain: boolean;
}

it.each(["log", "ssot"] as const)("a session of any harness goes on under layout %s", async (layout) => {
  await forSeeds({ short: 4, long: 400, file: "test/any-harness.test.ts" }, async (random) => {
    const store = createMemoryStore();
    const habits: Habits = {
      late: random.pick([0, 0.3, 1]),
      lost: random.pick([0, 0.1, 0.5]),
      foreign: random.pick([0, 0.1]),
      prompt: random.pick([0.02, 0.2, 0.9]),
      usesIdsAgain: random.chance(0.3),
    };
    let session = await open(store, layout);
    let calls = 0;
    const late: IncomingResult[] = [];
    await session.receive([{ role: "user", text: "Begin." }]);

    for (let n = 0; n < steps; n += 1) {
      await session.assemble();
      const asked = Array.from({ length: random.below(4) }, () => {
        calls += 1;
        return {
          callId: `c${habits.usesIdsAgain ? calls % 5 : calls}`,
          tool: random.pick(tools),
          args: argsOf(random),
        };
      });
      const results = asked.flatMap(({ callId }) => (random.chance(habits.lost) ? [] : [resultOf(callId, random)]));
      const behind = results.filter(() => random.chance(habits.late));
      await session.record({
        answer: { role: "assistant", text: wordsOf(random, 300), calls: asked },
        results: results.filter((result) => !behind.includes(result)),
      });
      late.push(...behind);
      if (random.chance(0.05)) await askForSomething(session, random.below(calls + 1) + 1);
      const incoming: (IncomingResult | IncomingUser)[] = random.chance(0.8) ? late.splice(0) : [];
      if (random.chance(habits.foreign)) incoming.push(resultOf(`never ${n}`, random));
      if (random.chance(habits.prompt)) incoming.push({ role: "user", text: wordsOf(random, 300) });
      await session.receive(incoming);
      if (!random.chance(0.02)) continue;
      await session.close();
      session = await open(store, layout);
    }

    await session.close();
    for await (const { hash, recordedHash } of rebuildPrompts(store, "s", rendererFor)) expect(hash).toBe(recordedHash);
    const findings: Finding[] = [];
    for await (const finding of verifyStore(store)) findings.push(finding);
    expect(findings).toEqual([]);
  });
});

const tools = ["bash", "read", "edit", "a tool of theirs"] as const;

const open = (store: ObjectStore, layout: "log" | "ssot"): Promise<Session> =>
  openSession({ store, session: "s", layout: layouts[layout], rendererFor, window: { bytesMax } });

const wordsOf = (random: Random, charsMax: number): string =>
  "some words of it\n".repeat(1 + charsMax / 16).slice(0, random.below(charsMax));

function argsOf(random: Random) {
  if (random.chance(0.5)) return { command: wordsOf(random, 400) };
  return { path: `/p/f${random.below(9)}.ts`, oldText: wordsOf(random, 200), newText: wordsOf(random, 1_500) };
}

function resultOf(callId: string, random: Random): IncomingResult {
  const text = random.chance(0.05) ? null : wordsOf(random, random.chance(0.1) ? 9_000 : 900);
  return { role: "tool", callId, text, failed: random.chance(0.1) };
}

/** A call that may have left, may be in view or may be none. */
async function askForSomething(session: Session, alias: number): Promise<void> {
  for (const action of ["activate", "pin", "deactivate", "unpin"] as const) {
    try {
      await session.command({ action, id: `t${alias}` });
    } catch (error) {
      if (!isCmError(error)) throw error;
    }
  }
}
