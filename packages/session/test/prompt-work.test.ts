// Verifies: F16: what a request does with its prompt follows what is new in it, not its length.
import { type ContextView, defaultPrices, type PromptMessage } from "@cm/context-log";
import { createMemoryStore } from "@cm/object-model";
import { expect, it } from "vitest";
import { openSession } from "../src/index.ts";
import { result, runs, user } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";

/** A log to the letter, whose prompts count each look at one of their messages. */
class CountedPrompts {
  looks = 0;
  readonly #made: PromptMessage[] = [];

  readonly renderer = {
    contract: "renderer/1" as const,
    layout: "counted/1",
    residency: "rendered" as const,
    render: (view: ContextView) => {
      while (this.#made.length < view.log.length) this.#made.push(this.#message(view.log[this.#made.length]?.kind));
      const messages = [...this.#made];
      const kept = view.sent?.messages.length ?? 0;
      return {
        layout: "counted/1",
        system: "",
        messages: this.#counting(messages),
        chars: messages.length,
        kept: { messages: kept, chars: kept },
      };
    },
  };

  #message(kind: string | undefined): PromptMessage {
    const role = kind === "user" || kind === "assistant" ? kind : "tool";
    return { id: `${this.#made.length}`, role, text: "x", chars: 1, ...(role === "tool" ? { callId: "c" } : {}) };
  }

  #counting(messages: PromptMessage[]): readonly PromptMessage[] {
    return new Proxy(messages, {
      get: (target, key) => {
        if (typeof key === "string" && /^\d+$/.test(key)) this.looks += 1;
        return Reflect.get(target, key);
      },
    });
  }
}

it.each([
  ["without a window", {}],
  ["within a window in bytes", { window: { bytesMax: 10_000_000 } }],
  ["within a window in tokens", { window: { tokensMax: 1_000_000 } }],
])("A late request %s looks at as few messages of its prompt as an early one.", async (_, bound) => {
  const counted = new CountedPrompts();
  const session = await openSession({
    ...{ store: createMemoryStore(), prices: defaultPrices, ...bound },
    layout: { policy: quietPolicy, renderer: counted.renderer },
  });
  const looks: number[] = [];
  for (let n = 0; n < 600; n += 1) {
    const before = counted.looks;
    if (n % 10 === 0) await session.receive([user("next")]);
    await session.assemble();
    await session.record(runs(result(`call_${n}`, "output")));
    looks.push(counted.looks - before);
  }

  const most = (steps: readonly number[]): number => Math.max(...steps);
  expect(most(looks)).toBeGreaterThan(0);
  expect(most(looks.slice(-100))).toBe(most(looks.slice(50, 150)));
});
