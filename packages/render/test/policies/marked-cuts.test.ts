// Verifies: SSOT 4.4 (4), 4.6: what a cut costs where the provider caches only at marks.
import { type ContextView, defaultPrices, type Prices, type PromptDecision } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { contextLogPolicy } from "../../src/index.ts";
import { foldsNothing, lines, Script } from "../support/script.ts";

const policy = contextLogPolicy({ retentionBudget: 0 });
const marked: Prices = { ...defaultPrices, breakpointsMax: 4 };
/** Where the dead output stands: behind two prompts and its call. */
const at = 3;

/** The first view at which a provider that finds every prefix itself makes the cut pay. */
function payingView(): ContextView {
  const script = new Script();
  script.say(lines(1_000, "a long wish"));
  script.call("bash", { command: "make" }, lines(500));
  for (let call = 0; call < 60; call += 1) {
    script.idle(1);
    const view = script.session.view();
    if (policy.decide(view, defaultPrices).fold !== undefined) return view;
  }
  throw new Error("No cut pays.");
}

/** What is decided where the request before had its marks at these places. */
function withMarks(view: ContextView, breakpoints: readonly number[]): PromptDecision {
  if (view.sent === undefined) throw new Error("Nothing was sent.");
  return policy.decide({ ...view, sent: { ...view.sent, breakpoints } }, marked);
}

describe("a cut that pays", () => {
  const view = payingView();

  it("is made where a mark stands right before it", () => {
    expect(withMarks(view, [0, at]).fold).toEqual({ cut: at, reason: "rent" });
    expect(withMarks(view, [0, at])).toEqual(policy.decide(view, defaultPrices));
  });

  it("is not made where the text before it would be written again, as the mark stands before that or behind the cut", () => {
    for (const marks of [[], [0], [0, 1], [0, at + 1, at + 2]]) expect(withMarks(view, marks).fold).toBeUndefined();
  });
});

/** Where a call's result stands in the log, and in the request that was sent last. */
function placesOf(view: ContextView, callId: string): { readonly entry: number; readonly message: number } {
  return {
    entry: view.log.findIndex((entry) => entry.kind === "result" && entry.callId === callId),
    message: view.sent?.messages.findIndex((message) => message.callId === callId) ?? -1,
  };
}

// Cut and guard both count from the marks. Each of these two asks one of them alone: the other would let both cuts pass.
describe("of two dead outputs with living text between them", () => {
  const script = new Script(foldsNothing);
  const short = script.call("bash", { command: "one" }, lines(100));
  script.say(lines(500, "a wish"));
  const long = script.call("bash", { command: "two" }, lines(3_000));
  // So many calls that the short one has cost too little rent to be a reason for a cut by itself.
  script.idle(20);
  const view = script.session.view();
  const [first, second] = [placesOf(view, short), placesOf(view, long)];

  it("the cut is at the second where the text between them stays cached", () => {
    expect(policy.decide(view, defaultPrices).fold?.cut).toBe(second.entry);
    expect(withMarks(view, [0, first.message, second.message]).fold?.cut).toBe(second.entry);
  });

  it("the cut is at the first where the newest mark stands before it, as that text is written again in any case", () => {
    expect(withMarks(view, [0, first.message]).fold?.cut).toBe(first.entry);
  });
});

describe("a cut whose rent is worth more than all the text before it", () => {
  const script = new Script(foldsNothing);
  script.say(lines(3_000, "a long wish"));
  const dead = script.call("bash", { command: "make" }, lines(1_000));
  script.idle(60);
  const view = script.session.view();
  const { entry, message } = placesOf(view, dead);

  it("is not made all the same where writing that again costs more than the guard allows", () => {
    expect(withMarks(view, [0, message]).fold?.cut).toBe(entry);
    expect(withMarks(view, [0]).fold).toBeUndefined();
  });
});
