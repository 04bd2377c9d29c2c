// Verifies: SSOT 4.4 (10): after a compaction the next prompt is smaller where it has to be, and only then.
import { messageBytes, type PromptMessage, type RenderedPrompt } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { RequestBounds, type RequestPlace } from "../../src/compaction/request-bounds.ts";
import type { SessionEntry } from "../../src/pi/pi-types.ts";
import { model } from "../provider/support/models.ts";
import { answer, branchOf, prompt } from "./support/entries.ts";

const used = model("anthropic-messages", { provider: "p", id: "m", contextWindow: 200_000, maxTokens: 8_192 });
const settings = { reserveTokens: 16_384 };
const here: RequestPlace = { model: used, sessionManager: endOf([]) };
const window = { tokensMax: 200_000, answerTokens: 16_384 };

describe("the bounds of a request", () => {
  it("are those of its model", () => {
    expect(new RequestBounds().optionsFor(here)).toEqual({ model: "m", window });
    expect(new RequestBounds().optionsFor({ ...here, model: undefined })).toEqual({});
  });

  it("are tighter after a refusal until one is answered, for this model alone", () => {
    const bounds = new RequestBounds();
    bounds.compacted({ reason: "overflow", settings, prompt: promptOf(400_000), model: used });

    const refused = bounds.optionsFor(here);
    const other = bounds.optionsFor({ ...here, model: { ...used, id: "other" } });
    bounds.answered("p", "m");

    expect(refused).toEqual({ model: "m", window: { ...window, bytesMax: 240_000 } });
    expect(other.window).toEqual(window);
    expect(bounds.optionsFor(here).window).toEqual({ ...window, bytesMax: 360_000 });
  });

  it("are what a compaction of ours wishes, as a cold cache, until one is answered", () => {
    const wish = { foldToBytes: 9_000, dialogueToBytes: 80_000 };
    const branch = [...branchOf(prompt("Do it."), answer("Done.")), compacted({ cm: 1, ...wish })];

    const asked = new RequestBounds().optionsFor({ ...here, sessionManager: endOf(branch) });
    const failed = [...branch, ...branchOf(prompt("Go on."), answer("half", "error"))];
    const answered = [...failed, ...branchOf(answer("Done."))];

    expect(asked).toEqual({ model: "m", cache: "cold", window, ...wish });
    expect(new RequestBounds().optionsFor({ ...here, sessionManager: endOf(failed) })).toEqual(asked);
    expect(new RequestBounds().optionsFor({ ...here, sessionManager: endOf(answered) })).toEqual({
      model: "m",
      window,
    });
  });

  it.each([{ cm: 1 }, { cm: 1, foldToBytes: -1 }, { cm: 1, dialogueToBytes: 9 }, { foldToBytes: 9_000 }, undefined])(
    "stay those of the model behind a compaction that wishes nothing, or is none of ours: %o",
    (details) => {
      const sessionManager = endOf([...branchOf(prompt("Do it.")), compacted(details)]);

      expect(new RequestBounds().optionsFor({ ...here, sessionManager })).toEqual({ model: "m", window });
    },
  );

  it("follow what Pi keeps free", () => {
    const bounds = new RequestBounds();
    const changed = { ...settings, reserveTokens: 40_000 };
    bounds.compacted({ reason: "threshold", settings: changed, prompt: promptOf(400_000), model: used });

    expect(bounds.optionsFor(here)).toEqual({ model: "m", window: { tokensMax: 200_000, answerTokens: 40_000 } });
  });

  it("stay those of the model where it is unknown what was sent", () => {
    const bounds = new RequestBounds();
    bounds.compacted({ reason: "overflow", settings, prompt: undefined, model: used });

    expect(bounds.optionsFor(here)).toEqual({ model: "m", window });
  });
});

/** A prompt whose one message weighs so many bytes. */
function promptOf(bytes: number): RenderedPrompt {
  const empty: PromptMessage = { id: "0", role: "user", text: "", chars: 0 };
  const text = "x".repeat(bytes - messageBytes(empty));
  const messages = [{ ...empty, text, chars: text.length }];
  return { layout: "log/1", system: "", messages, chars: text.length, kept: { messages: 0, chars: 0 } };
}

/** Where a branch ends; its entries follow each other. */
function endOf(entries: readonly SessionEntry[]): RequestPlace["sessionManager"] {
  const branch = entries.map((entry, place) => ({
    ...entry,
    id: `${place}`,
    parentId: place === 0 ? null : `${place - 1}`,
  }));
  return { getLeafId: () => branch.at(-1)?.id ?? null, getEntry: (id) => branch.find((entry) => entry.id === id) };
}

const compacted = (details: unknown): SessionEntry => ({
  ...{ type: "compaction", id: "c", parentId: null, timestamp: "2026-11-22T12:00:00.000Z", details },
  ...{ summary: "what was", firstKeptEntryId: "0", tokensBefore: 9 },
});
