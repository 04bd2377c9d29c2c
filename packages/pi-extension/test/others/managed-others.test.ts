// Verifies: what others took out of messages is not sent, not brought back, and not sent where the session cannot be
// asked.
import { defaultPrices, type Renderer } from "@cm/context-log";
import { createMemoryStore } from "@cm/object-model";
import { layouts } from "@cm/render";
import { afterEach, describe, expect, it } from "vitest";
import { ManagedSession } from "../../src/managed/managed-session.ts";
import type { PiMessage } from "../../src/pi/pi-types.ts";
import { Branch } from "../support/branch.ts";

const plain = (text: string) => ({ text, count: 0 });
const secret = "HUSH-4711";

const sessions: ManagedSession[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

/** A session over a branch; `fault.on`: nothing can be rendered. */
function managed(branch: Branch, store = createMemoryStore()) {
  const fault = { on: false };
  const render: Renderer["render"] = (view, decision) => {
    if (fault.on) throw new Error("planted");
    return layouts.log.renderer.render(view, decision);
  };
  const layout = { ...layouts.log, renderer: { ...layouts.log.renderer, render } };
  const session = new ManagedSession({
    ...{ side: branch.side(), redact: plain, storePlace: "memory" },
    openStore: async () => ({
      ...{ store, state: () => ({ queued: 0 }), isThere: async () => true, close: async () => undefined },
    }),
    sessionOptions: () => ({
      ...{ sources: [], redact: plain, layout, prices: defaultPrices, headChars: 9, discover: [] },
      touchesOf: async () => [],
    }),
  });
  sessions.push(session);
  return { session, fault, store };
}

const hushed = (messages: readonly PiMessage[]): PiMessage[] =>
  JSON.parse(JSON.stringify(messages).replaceAll(secret, "[REDACTED]"));
const without = (messages: readonly PiMessage[], place: number): PiMessage[] => messages.toSpliced(place, 1);

function talk(): Branch {
  const branch = new Branch();
  branch.ask("begin");
  branch.call("c1", { output: `one ${secret}` });
  branch.call("c2", { path: secret, output: "two" });
  branch.ask(`and ${secret}?`);
  return branch;
}

const text = (value: unknown): string => JSON.stringify(value);

describe("what others took out", () => {
  it("is neither sent nor brought back, and comes again when they leave it", async () => {
    const branch = talk();
    const { session } = managed(branch);

    const sent = await session.messagesFor(hushed(branch.messages), {});
    const recalled = await session.recall("t1");
    const again = await session.messagesFor(branch.messages, {});

    expect(text(sent).split("[REDACTED]")).toHaveLength(4);
    expect(text([sent, recalled])).not.toContain(secret);
    expect(text(recalled)).toContain("[REDACTED]");
    expect(text(again).split(secret)).toHaveLength(4);
  });

  it("as a whole message is not sent, whatever its place", async () => {
    const branch = talk();
    const { session } = managed(branch);
    const { messages } = branch;

    for (let place = 0; place < messages.length; place += 1) {
      const sent = await session.messagesFor(without(messages, place), {});
      const gone = messages[place];
      const roles = without(messages, place).map(({ role }) => role);
      // A result goes with its call.
      const orphan = gone?.role === "assistant" ? roles.indexOf("toolResult", place) : -1;
      expect(sent.map(({ role }) => role)).toEqual(orphan === -1 ? roles : roles.toSpliced(orphan, 1));
    }
    expect(text(await session.messagesFor(messages, {})).split(secret)).toHaveLength(4);
  });

  it("stays out of the session that another process opens, and comes again there as well", async () => {
    const branch = talk();
    const first = managed(branch);
    await first.session.messagesFor(hushed(branch.messages), {});
    await first.session.settle();
    await first.session.close();

    const { session } = managed(branch, first.store);
    expect(text(await session.messagesFor(hushed(branch.messages), {}))).not.toContain(secret);
    expect(text(await session.messagesFor(branch.messages, {})).split(secret)).toHaveLength(4);
  });

  it.each([true, false])("is not sent where the session cannot be asked (after a good prompt: %s)", async (isAfter) => {
    const branch = talk();
    const { session, fault } = managed(branch);
    if (isAfter) await session.messagesFor(branch.messages, {});
    fault.on = true;
    branch.call("c3", { output: `three ${secret}` });

    const sent = await session.messagesFor(hushed(branch.messages), {});
    const shorter = await session.messagesFor(without(hushed(branch.messages), 0), {});

    expect(text(sent)).not.toContain(secret);
    expect(text(sent)).toContain("three [REDACTED]");
    expect(shorter).toEqual(sent.slice(1));
  });
});
