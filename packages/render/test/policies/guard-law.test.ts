// @module-tag long
// Verifies: SSOT 1.2, 4.4 (6)
import type { Prices } from "@cm/context-log";
import { RecordedSession, type SessionEvent } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { plainLayout } from "../../src/layouts/plain.ts";
import { layouts } from "../../src/layouts.ts";
import { contextLogPolicy } from "../../src/policies/context-log/policy.ts";
import { JudgeMeter } from "../support/judge-meter.ts";
import { createRandom, runSeed, runsOf } from "../support/random.ts";
import { randomSession } from "../support/random-session.ts";
import { lines, Script } from "../support/script.ts";

const usual: Prices = { read: 0.1, write: 1.25 };
const pricesTried: readonly Prices[] = [usual, { read: 0.1, write: 1 }, { read: 0.5, write: 1 }, { read: 1, write: 1 }];

const head = 4_000;

/** What both logs were billed up to a request, and what carries them once more. */
interface Bills {
  /** From 1. */
  readonly request: number;
  readonly managed: number;
  readonly plain: number;
  readonly carriesManaged: number;
  readonly carriesPlain: number;
}

/** Every place at which a session may end. */
function billsOf(events: readonly SessionEvent[], prices: Prices, policy = layouts.log.policy): readonly Bills[] {
  const session = new RecordedSession({ ...layouts.log, policy, prices, headChars: head });
  const managed = new JudgeMeter({ ...prices, head });
  const plain = new JudgeMeter({ ...prices, head });
  const bills: Bills[] = [];
  for (const event of events) {
    if (event.kind === "assistant") {
      const alone = plainLayout.render(session.view(), {});
      plain.request(alone.messages);
      const { prompt } = session.request();
      managed.request(prompt.messages);
      const carries = (chars: number): number => prices.read * (chars + head);
      bills.push({
        request: bills.length + 1,
        ...{ managed: managed.billed, plain: plain.billed },
        ...{ carriesManaged: carries(prompt.chars), carriesPlain: carries(alone.chars) },
      });
    }
    session.add(event);
  }
  return bills;
}

/** The calls that may be lent at a request, written down a second time: eight, and none before the ninth or past the 25th. */
const lentAt = (request: number): number => (request < 9 ? 0 : Math.max(0, Math.min(8, 25 - request)));

/** By how much a session is too dear. */
function excess({ request, managed, plain, carriesManaged, carriesPlain }: Bills): number {
  const lent = lentAt(request);
  return managed + lent * carriesManaged - 1.02 * (plain + lent * carriesPlain);
}

describe.each(pricesTried)("at read $read, write $write", (prices) => {
  const sessions = runsOf(4, 250);
  const title = `a session that ends at any request from the 25th on is dearer than off by 2 % at most, and one that ends before by what is lent beside it, ${sessions} sessions, read ${prices.read}`;
  it(title, () => {
    const { seed, replay } = runSeed(title);

    for (let run = 0; run < sessions; run += 1) {
      const random = createRandom(seed + run);
      const policy = contextLogPolicy({ preset: random.pick(["careful", "default", "lean"] as const) });
      const events = randomSession(random, { steps: 10 + random.below(120) });
      for (const bills of billsOf(events, prices, policy)) {
        if (bills.request >= 25 && bills.managed > 1.02 * bills.plain)
          expect.fail(`Request ${bills.request}: ${bills.managed} passes 1.02 x ${bills.plain}. ${replay}`);
        if (excess(bills) > 1e-6) expect.fail(`Request ${bills.request} borrows ${excess(bills)} too much. ${replay}`);
      }
    }
  });
});

it("Loans are taken before the 25th request and are paid back there: at some request a session is dearer than 2 %.", () => {
  const dearest = [0, 0];
  for (let seed = 0; seed < 20; seed += 1) {
    for (const { request, managed, plain } of billsOf(randomSession(createRandom(seed), { steps: 40 }), usual)) {
      const when = request < 25 ? 0 : 1;
      dearest[when] = Math.max(dearest[when] ?? 0, managed / plain);
    }
  }

  expect(dearest[0]).toBeGreaterThan(1.02);
  expect(dearest[1]).toBeLessThanOrEqual(1.02);
});

it("A fold that rent would pay for waits while the bound forbids it: little dead text far under a long prompt.", () => {
  const script = new Script();
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
    const lent = 0.1 * lentAt(call + 1) * alone.chars;
    expect(managed.billed).toBeLessThanOrEqual(1.02 * (plain.billed + lent));
    script.session.add({ kind: "assistant", text: "And on." });
  }

  expect(folds).toBe(1);
});

it("A long session of an agent that reads and edits costs far less than the plain log.", () => {
  const last = billsOf(randomSession(createRandom(7), { steps: 200 }), usual).at(-1);

  expect((last?.managed ?? 1) / (last?.plain ?? 1)).toBeLessThan(0.8);
});
