// Verifies: decision 63: what goes out is made anew for each request, however much of it was made ahead.
import type { PromptMessage, RenderedPrompt } from "@cm/context-log";
import { forSeeds, type Random } from "@cm/testkit";
import { expect, it } from "vitest";
import type { BranchItem } from "../../src/branch/branch-item.ts";
import { type OutgoingContext, outgoing } from "../../src/messages/outgoing.ts";
import { Pictures } from "../../src/messages/pictures.ts";
import { PreparedCopies } from "../../src/messages/prepared-copies.ts";
import { Secrets } from "../../src/messages/secrets.ts";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { answerMessage, call, itemsIn, resultMessage, userMessage } from "../support/items.ts";

const contextOf = (items: readonly BranchItem[]): OutgoingContext => ({
  ...{ items, pictures: new Pictures(), secrets: new Secrets((text) => ({ text, count: 0 })) },
});

const promptOf = (messages: readonly PromptMessage[]): RenderedPrompt => ({
  ...{ layout: "log", system: "", messages, chars: 0, kept: { messages: 0, chars: 0 } },
});

const turn = () => new Promise((resolve) => void setImmediate(resolve));

/** A step of a talk: as Pi has it, and as the prompt has it. */
function step(n: number, random: Random): readonly (readonly [PiMessage, PromptMessage])[] {
  const ids = Array.from({ length: random.below(3) }, (_, place) => `c${n}-${place}`);
  const calls = ids.map((callId) => ({ callId, tool: "read", args: {} }));
  const asked = { id: `u${n}`, role: "user", text: `go ${n}`, chars: 4 } as const;
  return [
    [userMessage(`go ${n}`, n), asked],
    [answerMessage(ids.map((id) => call(id))), { id: `a${n}`, role: "assistant", text: "", chars: 0, calls }],
    ...ids.map((callId) => [resultMessage(callId, `long ${callId}`), resultOf(callId, `long ${callId}`)] as const),
  ];
}

const resultOf = (callId: string, text: string): PromptMessage => ({
  ...{ id: `r ${callId} ${text.length}`, role: "tool", callId, text, failed: false, chars: text.length },
});

it("hands out what a prompt made at once would be, shared with nothing that went out before", () =>
  forSeeds(
    { short: 30, long: 2_000, file: "packages/pi-extension/test/messages/prepared-copies.test.ts" },
    async (random) => {
      const spares = new PreparedCopies();
      let talk: readonly (readonly [PiMessage, PromptMessage])[] = [];
      let items: readonly BranchItem[] = [];
      const given = new Set<unknown>();
      for (let n = 0; n < 12; n += 1) {
        const isOther = random.chance(0.1);
        talk = isOther ? talk.slice(0, random.below(talk.length + 1)) : talk;
        // Of a call that was cut off no result is there.
        talk = [...talk, ...step(n + (isOther ? 100 : 0), random)];
        if (random.chance(0.3)) {
          const from = random.below(talk.length);
          talk = talk.map(([message, sent], place) => [
            message,
            place >= from && sent.role === "tool" ? resultOf(sent.callId ?? "", "[ref]") : sent,
          ]);
        }
        const all = itemsIn(talk.map(([message]) => message));
        const kept = items.findIndex((item, place) => item.message !== all[place]?.message);
        items = [...items.slice(0, kept === -1 ? items.length : kept), ...all.slice(kept === -1 ? items.length : kept)];
        const prompt = promptOf(talk.map(([, sent]) => sent));

        const taken = spares.take(prompt, contextOf(items));

        expect(taken).toEqual(outgoing(prompt, contextOf(items)));
        const made = taken.map(({ message }) => message);
        expect(made.filter((message) => given.has(message))).toEqual([]);
        for (const message of made) {
          given.add(message);
          // As another extension may.
          if (message.role === "user") message.content = "changed";
          if (message.role === "toolResult") message.content.length = 0;
        }
        if (random.chance(0.8)) spares.prepare();
        if (random.chance(0.8)) await turn();
      }
    },
  ));

it("ends nothing where a copy cannot be made any more: the next request says so", async () => {
  const copies = new PreparedCopies();
  const result = resultMessage("c", "text");
  const items = itemsIn([answerMessage([call("c")]), result]);
  const calls = [{ callId: "c", tool: "read", args: {} }];
  const prompt = promptOf([{ id: "a", role: "assistant", text: "", chars: 0, calls }, resultOf("c", "text")]);
  copies.take(prompt, contextOf(items));
  // Another extension's; no copy can be made of a function.
  result.details = Object.assign(Object.create({}), { print: () => {} });

  copies.prepare();
  await turn();

  expect(() => copies.take(prompt, contextOf(items))).toThrow("could not be cloned");
});
