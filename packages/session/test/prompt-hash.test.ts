// Verifies: SSOT 3.9: the hash of a prompt covers what the model reads, and is the same however it was come by.
import type { PromptMessage, RenderedPrompt } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { PromptHasher } from "../src/index.ts";
import { forSeeds } from "./support/seeds.ts";

const message: PromptMessage = {
  id: "1",
  role: "assistant",
  text: "text",
  chars: 4,
  thinking: [{ text: "hm" }],
  calls: [{ callId: "c", tool: "t", args: { a: 1 } }],
  callId: "c",
  failed: true,
  attachments: [{ sha256: "0".repeat(64), mime: "image/png", bytes: 1 }],
};

describe("the hash of a prompt", () => {
  it("is frozen", () => {
    expect(hashOf([message])).toMatchInlineSnapshot(
      `"9d349138db8621e2333ee2f3e325b5957d904b33bc02a4eeb859fe5654a08b35"`,
    );
    expect(hashOf([])).toMatchInlineSnapshot(`"d2e2a7939858e7dec4bd1fe371e64d452ebeb79a53064930314156f8b895c83a"`);
  });

  const changes: readonly Partial<PromptMessage>[] = [
    { role: "user" },
    { text: "other" },
    { thinking: [{ text: "hm", signature: "s" }] },
    { calls: [{ callId: "d", tool: "t", args: { a: 1 } }] },
    { calls: [{ callId: "c", tool: "u", args: { a: 1 } }] },
    { calls: [{ callId: "c", tool: "t", args: { a: 2 } }] },
    { callId: "d" },
    { failed: false },
    { attachments: [] },
  ];

  it.each(changes)("changes with %o", (change) => {
    expect(hashOf([{ ...message, ...change }])).not.toBe(hashOf([message]));
  });

  it("does not change with our names and counts, or the order of keys", () => {
    const { id: _id, chars: _chars, ...rest } = message;
    const same = { ...rest, id: "other", chars: 9 };

    expect(hashOf([same])).toBe(hashOf([message]));
  });

  it("changes with the system prompt, and with where messages end", () => {
    const [a, b] = [
      { ...message, text: "ab" },
      { ...message, text: "" },
    ];
    const [c, d] = [
      { ...message, text: "a" },
      { ...message, text: "b" },
    ];

    const hashes = [hashOf([a, b]), hashOf([c, d]), hashOf([b, a]), hashOf([a]), hashOf([a, b], "system")];

    expect(new Set(hashes).size).toBe(5);
  });

  it("is the same when it follows a session as when it is taken at once", async () => {
    await forSeeds({ short: 200, long: 5_000, file: "test/prompt-hash.test.ts" }, (random) => {
      const follower = new PromptHasher();
      let messages: readonly PromptMessage[] = [];
      for (let n = 0; n < 20; n += 1) {
        const system = random.pick(["one", "one", "one", "two"]);
        const cut = random.chance(0.3) ? random.below(messages.length + 1) : messages.length;
        const added = Array.from({ length: random.below(3) }, () => ({ ...message, text: `${random.below(1_000)}` }));
        messages = [...messages.slice(0, cut), ...added];

        expect(follower.hash(promptOf(messages, system))).toBe(hashOf(messages, system));
      }
    });
  });
});

function hashOf(messages: readonly PromptMessage[], system = ""): string {
  return new PromptHasher().hash(promptOf(messages, system));
}

function promptOf(messages: readonly PromptMessage[], system: string): RenderedPrompt {
  return { layout: "test/1", system, messages, chars: 0, kept: { messages: 0, chars: 0 } };
}
