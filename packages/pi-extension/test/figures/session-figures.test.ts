// Verifies: SSOT 5.12: what people read of tokens and money is of one request, and of a Pi without us.
import { expect, it } from "vitest";
import type { CountedSide } from "../../src/figures/counted-session.ts";
import { figuresType } from "../../src/figures/kept-figures.ts";
import { SessionFigures } from "../../src/figures/session-figures.ts";
import { prompt } from "../compaction/support/entries.ts";
import { BilledBranch } from "./support/billed-branch.ts";

const long = "word ".repeat(2_000);

/** A session in which 10,000 characters came, 2,600 tokens by the provider, and were folded after that. */
function foldedSession(side: Partial<CountedSide> = {}) {
  const branch = new BilledBranch();
  const figures = new SessionFigures(branch.side(side));
  branch.ask("Look.");
  branch.request(figures, { input: 1_100, output: 100 });
  branch.ask(long);
  branch.request(figures, { input: 2_600, cacheRead: 1_100, output: 100 });
  branch.ask("And on.");
  const folded = branch.messages.map((message) => (message.role === "user" ? prompt("[cm: folded]") : message));
  branch.request(figures, { input: 100, cacheRead: 1_150, output: 100 }, { messages: folded });
  return { branch, figures };
}

it("knows nothing before the first answer", () => {
  const branch = new BilledBranch();
  const figures = new SessionFigures(branch.side());
  branch.ask("Look.");
  figures.asked({ changed: new Map(), inserted: [] }, branch.messages);

  expect(figures.now()).toBeUndefined();
});

it("takes our tool out of the head of Pi alone", () => {
  const branch = new BilledBranch();
  const figures = new SessionFigures(branch.side());
  branch.ask("");
  branch.request(figures, { input: 1_113, output: 10 });

  const { contextTokens, plainTokens, input } = figures.now() ?? {};

  expect(contextTokens).toBe(1_123);
  // A tenth of less than 1,113 tokens is our tool's.
  expect(plainTokens).toBeCloseTo(1_123 - 100, -1);
  expect(input?.plain).toBeLessThan(input?.ours ?? 0);
});

it("keeps for Pi alone what the provider counted when a text came, and bills its cache", () => {
  const { figures } = foldedSession();

  const { contextTokens, plainTokens = 0, requests, input, dollars } = figures.now() ?? {};

  expect([contextTokens, requests]).toEqual([1_350, 3]);
  expect(plainTokens).toBeGreaterThan(3_700);
  expect(plainTokens).toBeLessThan(3_800);
  expect(input?.ours).toBeCloseTo((1_100 + 2_600 + 110 + 100 + 115) / 1e6, 9);
  expect(input?.plain).toBeCloseTo((1_000 + 2_600 + 100 + 60 + 360) / 1e6, 4);
  expect((dollars?.ours ?? 0) - (input?.ours ?? 0)).toBeCloseTo((3 * 100 * 5) / 1e6, 9);
});

it("charges each request the prices of its model, and names no dollars where one has none", () => {
  const { branch, figures } = foldedSession();
  const before = figures.now()?.dollars;
  branch.ask("Now with another one.");
  branch.request(figures, { input: 4_000, output: 100, model: "dear" });
  const after = figures.now()?.dollars;
  expect((after?.ours ?? 0) - (before?.ours ?? 0)).toBeCloseTo((4_000 * 10 + 100 * 50) / 1e6, 9);
  // Nothing of Pi alone's longer request is in this model's cache either.
  expect((after?.plain ?? 0) - (before?.plain ?? 0)).toBeGreaterThan((3_000 * 10) / 1e6);

  branch.ask("And with a third.");
  branch.request(figures, { input: 2_000, output: 100, model: "unpriced" });

  expect(figures.now()?.dollars).toBeUndefined();
  expect(figures.now()?.input.ours).toBeGreaterThan(1_000);
});

it("charges Pi alone for an empty cache only where ours was empty, too", () => {
  const costOf = (cacheRead: number): number => {
    const { branch, figures } = foldedSession();
    const before = figures.now()?.input.plain ?? 0;
    branch.ask("Go on.");
    branch.request(figures, { input: 1_400 - cacheRead, cacheRead });
    return (figures.now()?.input.plain ?? 0) - before;
  };

  expect(costOf(1_000)).toBeLessThan(700 / 1e6);
  expect(costOf(0)).toBeGreaterThan(3_600 / 1e6);
});

it("does not charge Pi alone for what our tool empties when it goes and comes back", () => {
  const { branch, figures } = foldedSession();
  branch.note("cm-link");
  figures.keep();
  const kept = figures.now()?.input.plain ?? 0;
  branch.ask("Without you.");
  branch.say("Done.", { input: 3_800 });
  branch.ask("Still without you.");
  branch.say("Done.", { input: 50, cacheRead: 3_800 });
  const on = new SessionFigures(branch.side());
  const before = on.now()?.input.plain ?? 0;
  expect(before - kept).toBeLessThan(1_000 / 1e6);
  branch.ask("With you again.");
  branch.request(on, { input: 3_900 });

  expect((on.now()?.input.plain ?? 0) - before).toBeLessThan(1_000 / 1e6);
});

it.each(["with its newest answer", "after one more that was not kept"])(
  "goes on where a session is resumed %s",
  (when) => {
    const { branch, figures } = foldedSession();
    figures.keep();
    if (when !== "with its newest answer") {
      branch.ask("Once more.");
      branch.request(figures, { input: 100, cacheRead: 1_250, output: 100 });
    }
    const before = figures.now();

    const resumed = new SessionFigures(branch.side());

    expect(resumed.now()?.requests).toBe(before?.requests);
    expect(resumed.now()?.contextTokens).toBe(before?.contextTokens);
    expect((resumed.now()?.plainTokens ?? 0) / (before?.plainTokens ?? 1)).toBeCloseTo(1, 2);
    expect((resumed.now()?.dollars?.plain ?? 0) / (before?.dollars?.plain ?? 1)).toBeCloseTo(1, 2);
    expect(resumed.now()?.dollars?.ours).toBeCloseTo(before?.dollars?.ours ?? 0, 9);
  },
);

it("writes its figures once, and only what is new", () => {
  const { branch, figures } = foldedSession();
  figures.keep();
  figures.keep();
  new SessionFigures(branch.side()).keep();

  expect(branch.entries.filter(({ type }) => type === "custom")).toHaveLength(1);
});

it.each([undefined, null, {}, { v: 2 }, { v: 1, requests: -1 }])("counts anew where what was kept is %j", (data) => {
  const { branch, figures } = foldedSession();
  branch.note(figuresType, data);

  expect(new SessionFigures(branch.side()).now()?.requests).toBe(figures.now()?.requests);
  expect(new SessionFigures(branch.side()).now()?.dollars?.ours).toBe(figures.now()?.dollars?.ours);
});

it("counts requests from before us alike on both sides", () => {
  const branch = new BilledBranch();
  branch.ask(long);
  branch.say("Done.", { input: 3_600, output: 100 });

  const { contextTokens, plainTokens, dollars } = new SessionFigures(branch.side()).now() ?? {};

  expect(plainTokens).toBe(contextTokens);
  expect(dollars?.plain).toBeCloseTo(dollars?.ours ?? 0, 9);
});

it("lets Pi alone compact when the person asks, and pay for it", () => {
  const { branch, figures } = foldedSession();
  for (const text of [long, long]) {
    branch.ask(text);
    branch.request(figures, { input: 2_600, cacheRead: 1_000 });
  }
  const before = figures.now();
  branch.compact(3_600);
  branch.ask("Go on.");
  branch.request(figures, { input: 100, cacheRead: 3_600 });
  const after = figures.now();

  expect((before?.plainTokens ?? 0) - (after?.plainTokens ?? 0)).toBeGreaterThan(2_000);
  // The summary's own request: what was left, and 4,500 characters of answer at least.
  const paid = (after?.dollars?.plain ?? 0) - (before?.dollars?.plain ?? 0);
  expect(paid).toBeGreaterThan((3_000 * 1 + 1_100 * 5) / 1e6);
});

it("lets Pi alone compact where its window asks for it, and not where only ours does", () => {
  const compaction = () => ({ enabled: true, reserveTokens: 16_384, keepRecentTokens: 5 });
  const { branch, figures } = foldedSession({ compaction });
  branch.contextWindow = 20_000;
  branch.ask("Go on.");
  branch.request(figures, { input: 100, cacheRead: 1_300, output: 100 });
  const compacted = figures.now()?.plainTokens ?? 0;
  expect(compacted).toBeLessThan(3_700);

  branch.compact(19_000);
  branch.ask("And on.");
  branch.request(figures, { input: 100, cacheRead: 1_400, output: 100 });

  expect(figures.now()?.plainTokens).toBeGreaterThan(compacted);
});

it("says that it estimates where the provider counts nothing", () => {
  const branch = new BilledBranch();
  const figures = new SessionFigures(branch.side());
  branch.ask(long);
  branch.request(figures, { input: 0 });
  branch.ask("Go on.");
  branch.request(figures, { input: 0 });

  const { isReported, contextTokens = 0, plainTokens = 0, input } = figures.now() ?? {};

  expect(isReported).toBe(false);
  expect(contextTokens).toBeGreaterThan(3_500);
  expect(contextTokens - plainTokens).toBeCloseTo(100, -1);
  expect((input?.plain ?? 0) / (input?.ours ?? 1)).toBeCloseTo(0.97, 1);
});

it("counts what other extensions put in and take out for Pi alone, too", () => {
  const branch = new BilledBranch();
  const figures = new SessionFigures(branch.side());
  branch.ask(long);
  branch.request(figures, { input: 3_600 });
  branch.ask("Go on.");
  const [first, ...others] = branch.messages;
  const pruned = prompt("[pruned]");
  figures.asked({ changed: new Map([["e0", pruned]]), inserted: [] }, [pruned, ...others]);
  branch.say("Done.", { input: 1_150 });

  expect(first).toBeDefined();
  expect(figures.now()?.plainTokens).toBeLessThan(1_150);
});

it("counts the branch that people went to", () => {
  const { branch, figures } = foldedSession();
  expect(figures.now()?.requests).toBe(3);
  branch.entries.splice(2);
  branch.ask("Another way.");
  branch.request(figures, { input: 200, cacheRead: 1_000 });

  expect(figures.now()?.requests).toBe(2);
});

it("says what it knew when Pi's session is over", () => {
  const { branch, figures } = foldedSession();
  const before = figures.now();
  branch.side();
  let isOver = false;
  const side = branch.side();
  const others = new SessionFigures({
    ...side,
    branch: () => {
      if (isOver) throw new Error("stale");
      return side.branch();
    },
    head: () => {
      if (isOver) throw new Error("stale");
      return side.head();
    },
  });
  expect(others.now()?.requests).toBe(before?.requests);
  isOver = true;

  expect(others.now()?.requests).toBe(before?.requests);
  others.keep();
});
