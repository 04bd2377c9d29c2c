// Verifies: decision 63 and F18 of the specification: where nothing of ours answers, what goes out is small and legal.
import { forSeeds, type Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { blocksOf } from "../../src/branch/said-text.ts";
import { limits } from "../../src/limits.ts";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { LastPrompt } from "../../src/prompt/last-prompt.ts";
import { safePrompt } from "../../src/prompt/safe-prompt.ts";
import { promptFaults } from "../events/legal-prompt.ts";
import { answerMessage, call, itemsIn, resultMessage, text, userMessage } from "../support/items.ts";

const file = "packages/pi-extension/test/prompt/fallback.test.ts";

const outputs = (messages: readonly PiMessage[]): readonly string[] =>
  messages.flatMap((message) => (message.role === "toolResult" ? [blocksOf(message.content).text] : []));

const pairs = (messages: readonly PiMessage[]): readonly string[] =>
  messages.flatMap((message) => {
    if (message.role === "toolResult") return [`result ${message.toolCallId}`];
    if (message.role !== "assistant") return ["said"];
    return message.content.flatMap((block) => (block.type === "toolCall" ? [`call ${block.id}`] : []));
  });

const turns = (count: number, output: (n: number) => string): readonly PiMessage[] =>
  Array.from({ length: count }, (_, n) => [answerMessage([call(`c${n}`)]), resultMessage(`c${n}`, output(n))]).flat();

function drawnTurns(random: Random): readonly PiMessage[] {
  return Array.from({ length: 1 + random.below(30) }, (_, n): readonly PiMessage[] => {
    if (random.chance(0.25)) return [userMessage(`u${n}`)];
    const ids = Array.from({ length: 1 + random.below(3) }, (_unused, place) => `c${n}.${place}`);
    const results = ids.map((id) => resultMessage(id, "x".repeat(random.below(60_000))));
    return [answerMessage(ids.map((id) => call(id))), ...results];
  }).flat();
}

describe("a prompt without session and store", () => {
  it("has the newest outputs in full, and of older ones that there were some", () => {
    const messages = turns(limits.safeCallsMax + 2, (n) => `${n} `.repeat(200));

    const shown = outputs(safePrompt(itemsIn(messages)));

    expect(shown.slice(2)).toEqual(outputs(messages).slice(2));
    expect(shown[0]).toMatch(/^\[cm: 400 characters of output left out/);
  });

  it("has short outputs as they are", () => {
    expect(outputs(safePrompt(itemsIn(turns(20, () => "ok"))))).toEqual(Array.from({ length: 20 }, () => "ok"));
  });

  it("has at least the start of the newest output, however long it is", () => {
    const [first, second] = outputs(safePrompt(itemsIn(turns(2, (n) => `${n}`.repeat(limits.safeCharsMax * 3)))));

    expect(first).toMatch(/left out/);
    expect(second).toMatch(/^1{40000}\n\[cm: 80000 more characters left out/);
  });

  it("keeps every message in its place and stays within bounds, whatever was said", async () => {
    await forSeeds({ short: 30, long: 1_000, file }, (random) => {
      const messages = drawnTurns(random);

      const sent = safePrompt(itemsIn(messages));

      expect(pairs(sent)).toEqual(pairs(messages));
      const shown = outputs(sent);
      const most = limits.safeCharsMax + 200 + shown.length * 200;
      expect(shown.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(most);
    });
  });
});

const placed = (messages: readonly PiMessage[]) =>
  messages.map((message, item) => ({ message: structuredClone(message), item }));

describe("the last good prompt", () => {
  const branch = itemsIn([userMessage("go"), ...turns(30, (n) => `${n} `.repeat(5_000))]);
  const good = [userMessage("good"), answerMessage([text("fine")])];

  it("goes out again with what came since, of which only the newest outputs are in full", () => {
    const last = new LastPrompt();
    last.keep(() => placed(good), branch.slice(0, 3));

    const sent = last.promptFor(branch);

    expect(sent.slice(0, 2)).toEqual(good);
    expect(pairs(sent.slice(2))).toEqual(pairs(safePrompt(branch)).slice(3));
    expect(JSON.stringify(sent).length).toBeLessThan(70_000);
  });

  it("has a result for each call, also of one that was interrupted", () => {
    const messages = [
      userMessage("go"),
      answerMessage([call("a"), call("b")]),
      resultMessage("a", "out"),
      userMessage("otherwise"),
      ...turns(1, () => "more"),
    ];

    const sent = new LastPrompt().promptFor(itemsIn(messages));

    expect(promptFaults(sent, messages)).toEqual([]);
    expect(outputs(sent)).toEqual(["out", "[cm: no output of this call is known]", "more"]);
  });

  it("is not used for another branch", () => {
    const last = new LastPrompt();
    last.keep(() => placed(good), branch.slice(0, 3));

    expect(last.promptFor(branch.slice(0, 2)).slice(0, 2)).toEqual(safePrompt(branch.slice(0, 2)));
    expect(last.promptFor(branch.slice(1))).toEqual(safePrompt(branch.slice(1)));
    expect(new LastPrompt().promptFor(branch)).toEqual(safePrompt(branch));
  });

  it("stays as it was, whatever becomes of the messages", () => {
    const last = new LastPrompt();
    last.keep(() => placed(good), branch.slice(0, 1));
    for (const message of last.promptFor(branch.slice(0, 1))) {
      if (message.role === "user" && Array.isArray(message.content)) message.content.push(text("added"));
    }

    expect(last.promptFor(branch.slice(0, 1))).toEqual(good);
  });
});
