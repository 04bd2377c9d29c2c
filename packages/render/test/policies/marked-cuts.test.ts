// Verifies: design 7.6: what a cut costs where the provider caches only at marks.
import { type ContextView, defaultPrices, type Prices, type PromptDecision } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { contextLogPolicy } from "../../src/index.ts";
import { lines, Script } from "../support/script.ts";

const policy = contextLogPolicy({ floor: 0 });
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
