// @module-tag long
// Verifies: SSOT 4.4 (6)
import type { Prices } from "@cm/context-log";
import { RecordedSession } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { plainLayout } from "../../src/layouts/plain.ts";
import { layouts } from "../../src/layouts.ts";
import { contextLogPolicy } from "../../src/policies/context-log/policy.ts";
import { JudgeMeter } from "../support/judge-meter.ts";
import { createRandom, runSeed, runsOf } from "../support/random.ts";
import { randomSession } from "../support/random-session.ts";
import { lines, Script } from "../support/script.ts";

const pricesTried: readonly Prices[] = [
  { read: 0.1, write: 1.25 },
  { read: 0.1, write: 1 },
  { read: 0.5, write: 1 },
  { read: 1, write: 1 },
];

describe.each(pricesTried)("at read $read, write $write", (prices) => {
  const sessions = runsOf(8, 250);
  const title = `no session is ever dearer than off by more than 2 % and, from the ninth request on, four calls' carrying, ${sessions} sessions, read ${prices.read}`;
  it(title, { timeout: 300_000 }, () => {
    const { seed, replay } = runSeed(title);
    const head = 4_000;

    for (let run = 0; run < sessions; run += 1) {
      const random = createRandom(seed + run);
      const session = new RecordedSession({ ...layouts.log, prices, headChars: head });
      const managed = new JudgeMeter({ ...prices, head });
      const plain = new JudgeMeter({ ...prices, head });
      let requests = 0;
      for (const event of randomSession(random, { steps: 10 + random.below(120) })) {
        if (event.kind === "assistant") {
          const alone = plainLayout.render(session.view(), {});
          plain.request(alone.messages);
          managed.request(session.request().prompt.messages);
          requests += 1;
          const lent = requests > 8 ? 4 : 0;
          const bound = 1.02 * (plain.billed + lent * prices.read * (alone.chars + head));
          if (managed.billed > bound) expect.fail(`${managed.billed} passes ${bound}. ${replay}`);
        }
        session.add(event);
      }
    }
  });
});

it("A fold that rent would pay for waits while the bound forbids it: little dead text far under a long prompt.", () => {
  const script = new Script(contextLogPolicy({ retentionBudget: 0 }));
  script.call("bash", { command: "make" }, lines(90));
  script.say(lines(1_800));
  const plain = new JudgeMeter();
  const managed = new JudgeMeter();
  let folds = 0;

  for (let call = 0; call < 800; call += 1) {
    const alone = plainLayout.render(script.session.view(), {});
    plain.request(alone.messages);
    const { decision, prompt } = script.request();
    managed.request(prompt.messages);
    if (decision.fold !== undefined) folds += 1;
    expect(managed.billed).toBeLessThanOrEqual(1.02 * (plain.billed + 0.4 * alone.chars));
    script.session.add({ kind: "assistant", text: "And on." });
  }

  expect(folds).toBe(1);
});

it("A long session of an agent that reads and edits costs far less than the plain log.", () => {
  const session = new RecordedSession({ ...layouts.log, headChars: 4_000 });
  const managed = new JudgeMeter({ head: 4_000 });
  const plain = new JudgeMeter({ head: 4_000 });

  for (const event of randomSession(createRandom(7), { steps: 200 })) {
    if (event.kind === "assistant") {
      plain.request(plainLayout.render(session.view(), {}).messages);
      managed.request(session.request().prompt.messages);
    }
    session.add(event);
  }

  expect(managed.billed / plain.billed).toBeLessThan(0.8);
});
