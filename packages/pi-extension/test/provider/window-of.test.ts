// Verifies: SSOT 4.4 (10): a prompt fits the model's window, and Pi finds nothing to compact.
import { expect, it } from "vitest";
import { windowOf } from "../../src/provider/window-of.ts";
import { model } from "./support/models.ts";

it.each([
  ["room that Pi keeps free", { contextWindow: 200_000, maxTokens: 8_192 }, {}, 16_384],
  ["as much as the model can say", { contextWindow: 200_000, maxTokens: 24_000 }, {}, 24_000],
  ["a bound where it can say a lot", { contextWindow: 200_000, maxTokens: 128_000 }, {}, 32_000],
  ["what Pi's settings say", { contextWindow: 200_000, maxTokens: 8_192 }, { reserveTokens: 50_000 }, 50_000],
  ["half of the window at most", { contextWindow: 40_000, maxTokens: 32_000 }, {}, 20_000],
  ["a quarter of a window in which Pi compacts anyway", { contextWindow: 20_000, maxTokens: 8_192 }, {}, 5_000],
  ["what a model can say in such a window", { contextWindow: 20_000, maxTokens: 2_000 }, {}, 2_000],
  ["room without any number", { contextWindow: 200_000, maxTokens: 0 }, { reserveTokens: 0 }, 16_384],
] as const)("the answer has %s", (_, sizes, settings, answerTokens) => {
  expect(windowOf(model("x", sizes), settings)).toEqual({ tokensMax: sizes.contextWindow, answerTokens });
});

it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("a model whose window is %d bounds nothing", (contextWindow) => {
  expect(windowOf(model("x", { contextWindow }))).toBeUndefined();
});
