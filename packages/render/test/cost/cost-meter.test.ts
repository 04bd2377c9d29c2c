import { CostMeter, defaultPrices } from "@cm/context-log";
import { replaySession } from "@cm/testkit";
import { expect, it } from "vitest";
import { layouts } from "../../src/layouts.ts";
import { JudgeMeter } from "../support/judge-meter.ts";
import { createRandom } from "../support/random.ts";
import { randomSession } from "../support/random-session.ts";

it.each(["plain", "ssot", "log"] as const)("The meter agrees with one that counts bytes: %s.", (layout) => {
  const meter = new CostMeter({ headChars: 16_000 });
  const judge = new JudgeMeter({ head: 16_000 });

  for (const { prompt } of replaySession(
    randomSession(createRandom(11), { steps: 80, hostile: 0.1 }),
    layouts[layout],
  )) {
    meter.add(prompt);
    judge.request(prompt.messages);
  }

  expect(meter.totals.billed).toBeCloseTo(judge.billed, 3);
  expect(meter.totals).toMatchObject({
    requests: judge.requests,
    sent: judge.sent,
    cached: judge.cached,
    peak: judge.peak,
    breaks: judge.breaks,
  });
});

it("A cold request pays for all of it.", () => {
  const meter = new CostMeter({ prices: defaultPrices });
  const prompt = { layout: "x", system: "", messages: [], chars: 100, kept: { messages: 0, chars: 80 } };

  expect(meter.add(prompt)).toBe(125);
  expect(meter.add(prompt)).toBe(0.1 * 80 + 1.25 * 20);
  expect(meter.add(prompt, "cold")).toBe(125);
});
