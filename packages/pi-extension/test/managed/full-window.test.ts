// @module-tag long
// Verifies: decision 91: in a full window a session of Pi goes on; what left stands in one line, and the rest is Pi's
// own.
import { defaultPrices } from "@cm/context-log";
import { createMemoryStore } from "@cm/object-model";
import { layouts } from "@cm/render";
import { afterEach, describe, expect, it } from "vitest";
import { blocksOf } from "../../src/branch/said-text.ts";
import { ManagedSession } from "../../src/managed/managed-session.ts";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { withinWindow } from "../../src/prompt/within-window.ts";
import { Branch } from "../support/branch.ts";
import { answerMessage, call, resultMessage, userMessage } from "../support/items.ts";

const plain = (text: string) => ({ text, count: 0 });
const options = { window: { bytesMax: 8_000 } };

const sessions: ManagedSession[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

function managed(branch: Branch, store = createMemoryStore()): ManagedSession {
  const session = new ManagedSession({
    ...{ side: branch.side(), redact: plain, storePlace: "memory" },
    openStore: async () => ({ store, state: () => ({ queued: 0 }), close: async () => {}, isThere: async () => true }),
    sessionOptions: () => ({
      ...{ sources: [], redact: plain, layout: layouts.log, prices: defaultPrices, headChars: 9, discover: [] },
      touchesOf: async () => [],
    }),
  });
  sessions.push(session);
  return session;
}

async function play(session: ManagedSession, branch: Branch, turns: number, from = 0): Promise<readonly PiMessage[]> {
  let sent: readonly PiMessage[] = [];
  for (let turn = from; turn < from + turns; turn += 1) {
    branch.ask(`Prompt ${turn}.`);
    for (const id of [`a${turn}`, `b${turn}`]) {
      sent = await session.messagesFor(branch.messages, options);
      expect(faultsIn(sent)).toEqual([]);
      branch.call(id, { tool: "bash", output: `output of ${id} ${"y".repeat(900)}` });
    }
    sent = await session.messagesFor(branch.messages, options);
    expect(session.health).toMatchObject({ state: "ok" });
    branch.say(`Done with ${turn}.`);
  }
  return sent;
}

describe("a session of Pi in a full window", () => {
  it("goes on, says what left, and sends each answer that is left as Pi has it", async () => {
    const branch = new Branch();
    const session = managed(branch);

    const sent = await play(session, branch, 80);

    const texts = sent.map(textOf);
    expect(texts.filter((text) => text.startsWith("[cm: left out above, of turns 1 to "))).toHaveLength(1);
    expect(texts[0]).toBe("Prompt 0.");
    expect(texts.at(-3)).toContain("output of a79");
    const own = new Set(branch.messages.map((message) => JSON.stringify(message)));
    expect(sent.filter((message) => message.role === "assistant" && !own.has(JSON.stringify(message)))).toEqual([]);
  });

  it("goes on where Pi is started again", async () => {
    const branch = new Branch();
    const store = createMemoryStore();
    await play(managed(branch, store), branch, 60);
    for (const session of sessions.splice(0)) await session.close();

    const sent = await play(managed(branch, store), branch, 5, 60);

    expect(sent.map(textOf).filter((text) => text.startsWith("[cm: left out above"))).toHaveLength(1);
  });
});

describe("a prompt that stands in for a session's", () => {
  it("is never more than the window: older turns go, then older calls of the current one", () => {
    const turn = (name: string): PiMessage[] => [
      userMessage(name),
      ...["1", "2"].flatMap((n) => [answerMessage([call(name + n)]), resultMessage(name + n, "x".repeat(1_000))]),
    ];
    const messages = [...turn("a"), ...turn("b"), ...turn("c")];

    const kept = (bytesMax: number): readonly string[] =>
      withinWindow(messages, { bytesMax }).map((message) =>
        message.role === "toolResult" ? message.toolCallId : message.role,
      );

    expect(withinWindow(messages, undefined)).toBe(messages);
    expect(withinWindow(messages, { tokensMax: 100_000 })).toBe(messages);
    expect(kept(5_000)).toEqual([
      "user",
      "user",
      "assistant",
      "b1",
      "assistant",
      "b2",
      "user",
      "assistant",
      "c1",
      "assistant",
      "c2",
    ]);
    expect(kept(3_000)).toEqual(["user", "user", "assistant", "c1", "assistant", "c2"]);
    expect(kept(1_500)).toEqual(["user", "user", "user", "assistant", "c2"]);
    expect(kept(10)).toEqual(["user", "user", "user", "assistant", "c2"]);
    expect(withinWindow(messages, { bytesMax: 1_500 }).slice(0, 3).map(textOf)).toEqual([
      "[cm: 10 messages of earlier turns left out above, and what keeps them cannot be reached now]",
      "c",
      "[cm: 2 messages of earlier calls left out here, and what keeps them cannot be reached now]",
    ]);
  });
});

const textOf = (message: PiMessage): string => {
  const content = message.role === "toolResult" || message.role === "user" ? message.content : "";
  return typeof content === "string" ? content : blocksOf(content).text;
};

function faultsIn(messages: readonly PiMessage[]): readonly string[] {
  let open = new Set<string>();
  const faults: string[] = messages[0]?.role === "user" ? [] : ["it does not begin with the user"];
  for (const message of messages) {
    if (message.role === "toolResult") {
      if (!open.delete(message.toolCallId)) faults.push(`nothing asked for ${message.toolCallId}`);
      continue;
    }
    if (open.size > 0) faults.push(`no result for ${[...open].join()}`);
    const blocks = message.role === "assistant" ? message.content : [];
    open = new Set(blocks.flatMap((block) => (block.type === "toolCall" ? [block.id] : [])));
  }
  return faults;
}
