// Verifies: design 7.4: after a compaction the next prompt is smaller where it has to be, and only then.
import { messageBytes, type PromptMessage, type RenderedPrompt } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { RequestBounds } from "../../src/compaction/request-bounds.ts";
import { model } from "../provider/support/models.ts";

const used = model("anthropic-messages", { provider: "p", id: "m", contextWindow: 200_000, maxTokens: 8_192 });
const settings = { reserveTokens: 16_384, keepRecentTokens: 20_000 };
const window = { tokensMax: 200_000, answerTokens: 16_384 };

describe("the bounds of a request", () => {
  it("are those of its model", () => {
    expect(new RequestBounds().optionsFor(used)).toEqual({ model: "m", window });
    expect(new RequestBounds().optionsFor(undefined)).toEqual({});
  });

  it("are tighter after a refusal until one is answered, for this model alone", () => {
    const bounds = new RequestBounds();
    bounds.compacted({ reason: "overflow", settings, prompt: promptOf(400_000), model: used });

    const refused = bounds.optionsFor(used);
    const other = bounds.optionsFor({ ...used, id: "other" });
    bounds.answered("p", "m");

    expect(refused).toEqual({ model: "m", window: { ...window, bytesMax: 240_000 } });
    expect(other.window).toEqual(window);
    expect(bounds.optionsFor(used).window).toEqual({ ...window, bytesMax: 360_000 });
  });

  it("are half of the prompt after /compact, as a cold cache, until one is answered", () => {
    const bounds = new RequestBounds();
    bounds.compacted({ reason: "manual", settings, prompt: promptOf(400_000), model: used });

    const compacted = bounds.optionsFor(used);
    bounds.answered("p", "m");

    expect(compacted).toEqual({ model: "m", cache: "cold", window: { ...window, bytesMax: 200_000 } });
    expect(bounds.optionsFor(used)).toEqual({ model: "m", window });
  });

  it("leave after /compact what Pi would have kept", () => {
    const bounds = new RequestBounds();
    bounds.compacted({ reason: "manual", settings, prompt: promptOf(10_000), model: used });

    expect(bounds.optionsFor(used).window?.bytesMax).toBe(60_000);
  });

  it("follow what Pi keeps free", () => {
    const bounds = new RequestBounds();
    const changed = { ...settings, reserveTokens: 40_000 };
    bounds.compacted({ reason: "threshold", settings: changed, prompt: promptOf(400_000), model: used });

    expect(bounds.optionsFor(used)).toEqual({ model: "m", window: { tokensMax: 200_000, answerTokens: 40_000 } });
  });

  it("stay those of the model where nobody knows what was sent", () => {
    const bounds = new RequestBounds();
    bounds.compacted({ reason: "overflow", settings, prompt: undefined, model: used });

    expect(bounds.optionsFor(used)).toEqual({ model: "m", window });
  });
});

/** A prompt whose one message weighs so many bytes. */
function promptOf(bytes: number): RenderedPrompt {
  const empty: PromptMessage = { id: "0", role: "user", text: "", chars: 0 };
  const text = "x".repeat(bytes - messageBytes(empty));
  const messages = [{ ...empty, text, chars: text.length }];
  return { layout: "log/1", system: "", messages, chars: text.length, kept: { messages: 0, chars: 0 } };
}
