import { describe, expect, it } from "vitest";
import { branchStepsFrom } from "../../src/follow/branch-step.ts";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { answerMessage, call, itemsIn, resultMessage, text, userMessage } from "../support/items.ts";

function pieces(messages: readonly PiMessage[], { from = 0, isOver = false } = {}): readonly string[] {
  return branchStepsFrom(itemsIn(messages), from, { isOver }).map(({ piece, end }) =>
    piece.kind === "said" ? `said to ${end}` : `step with ${piece.results.length} to ${end}`,
  );
}

const asked = userMessage("go");
const two = answerMessage([call("a"), call("b")]);

describe("a branch in pieces", () => {
  it("has a step for each answer with its results, and each saying alone", () => {
    const messages = [asked, two, resultMessage("a", ""), resultMessage("b", ""), userMessage("on"), answerMessage([])];

    expect(pieces(messages)).toEqual(["said to 1", "step with 2 to 4", "said to 5", "step with 0 to 6"]);
    expect(pieces(messages, { from: 4 })).toEqual(["said to 5", "step with 0 to 6"]);
  });

  it("waits for results at its end, unless nothing runs any more", () => {
    const messages = [asked, two, resultMessage("a", "")];

    expect(pieces(messages)).toEqual(["said to 1"]);
    expect(pieces(messages, { isOver: true })).toEqual(["said to 1", "step with 1 to 3"]);
  });

  it("does not wait for results where something came behind them", () => {
    expect(pieces([asked, two, resultMessage("a", ""), userMessage("on")])).toEqual([
      ...["said to 1", "step with 1 to 3", "said to 4"],
    ]);
  });

  it("does not wait where the answer called nothing", () => {
    expect(pieces([asked, answerMessage([text("done")])])).toEqual(["said to 1", "step with 0 to 2"]);
  });

  it("passes over results of an answer that is not there", () => {
    expect(pieces([resultMessage("x", ""), asked])).toEqual(["said to 2"]);
  });
});
