// @module-tag long
// Verifies: SSOT 4.4 (10): no session ends, however small its window is.
import { messageBytes, type RenderedPrompt } from "@cm/context-log";
import { createMemoryStore, type JsonObject, sha256 } from "@cm/object-model";
import { layouts } from "@cm/render";
import { type ModelCall, rendererFor } from "@cm/replay";
import { openSession, rebuildPrompts, type Session } from "@cm/session";
import { describe, expect, it } from "vitest";
import { chainedCalls } from "./chained-recordings.ts";

const isCampaign = process.env.CM_CAMPAIGN === "1";
const callsMax = Number(process.env.CM_CALLS ?? (isCampaign ? 20_000 : 200));
const shapes = (["log", "ssot"] as const).flatMap((layout) =>
  (isCampaign ? [30_000, 100_000, 300_000, 600_000] : [30_000]).map((bytesMax) => ({ layout, bytesMax })),
);

describe.each(shapes)("a session under layout $layout in $bytesMax bytes", ({ layout, bytesMax }) => {
  it("goes on for ever: each request fits, is valid, says what left, and is rebuilt as it was", async () => {
    const store = createMemoryStore();
    const session = await openSession({
      ...{ store, layout: layouts[layout], rendererFor, session: "endless" },
      window: { bytesMax },
      headChars: 16_000,
    });
    const hashes = new Map<number, string>();
    let calls = 0;
    for await (const call of chainedCalls()) {
      if (calls >= callsMax) break;
      const prompt = await request(session, call);
      expect(bytesOf(prompt)).toBeLessThanOrEqual(bytesMax);
      expect(faultsIn(prompt)).toEqual([]);
      expect(earlierWordsOf(prompt)).toBeLessThanOrEqual(0.4 * bytesMax);
      const { n } = await session.record(recordOf(call));
      expect(linesAboutWhatLeft(prompt)).toBe(session.view().log.some(({ kind }) => kind === "omitted") ? 1 : 0);
      calls += call.answer.calls.length;
      hashes.set(n, sha256(bytesText(prompt)));
    }
    await session.close();
    for await (const { n, hash, recordedHash, complete, prompt } of rebuildPrompts(store, "endless", rendererFor)) {
      expect(hash, `request ${n}`).toBe(recordedHash);
      expect(complete).toBe(true);
      expect(sha256(bytesText(prompt)), `request ${n}`).toBe(hashes.get(n));
      hashes.delete(n);
    }
    expect([...hashes.keys()]).toEqual([]);
  });
});

async function request(session: Session, { before }: ModelCall): Promise<RenderedPrompt> {
  await session.receive(
    before.map((event) =>
      event.kind === "user"
        ? { role: "user" as const, text: event.text }
        : { role: "tool" as const, callId: event.callId, text: event.text, failed: event.failed },
    ),
  );
  return session.assemble();
}

function recordOf({ answer, results }: ModelCall) {
  const calls = answer.calls.map(({ id, name, args }) => ({ callId: id, tool: name, args: args as JsonObject }));
  const known = new Set(results.map(({ callId }) => callId));
  const lost = calls.filter(({ callId }) => !known.has(callId));
  return {
    answer: { role: "assistant" as const, text: answer.text, calls },
    results: [
      ...results.map(({ callId, text, failed }) => ({ role: "tool" as const, callId, text, failed })),
      ...lost.map(({ callId }) => ({ role: "tool" as const, callId, text: null, failed: true })),
    ],
  };
}

const bytesOf = ({ messages }: RenderedPrompt): number =>
  messages.reduce((sum, message) => sum + messageBytes(message), 0);

const linesAboutWhatLeft = ({ messages }: RenderedPrompt): number =>
  messages.filter(({ text }) => text.startsWith("[cm: left out above, ")).length;

/** What the person said in turns of which no answer stands: it is kept long, and never crowds out the work. */
const earlierWordsOf = ({ messages }: RenderedPrompt): number =>
  messages.reduce((sum, message, place) => {
    const isAlone = /^[0-9]/.test(message.id) && message.role === "user" && messages[place + 1]?.role === "user";
    return isAlone ? sum + messageBytes(message) : sum;
  }, 0);

const bytesText = ({ messages }: RenderedPrompt): string =>
  JSON.stringify(messages.map(({ role, text, calls, callId, failed }) => ({ role, text, calls, callId, failed })));

/** What providers refuse: a first message that is not the user's, a call without a result right behind it, or none's result. */
function faultsIn({ messages }: RenderedPrompt): readonly string[] {
  const faults: string[] = messages[0]?.role === "user" ? [] : ["the first message is not the user's"];
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.delete(message.callId ?? "")) faults.push(`nothing asked for ${message.callId}`);
      continue;
    }
    if (open.size > 0) faults.push(`no result for ${[...open].join()}`);
    open = new Set(message.calls?.map(({ callId }) => callId));
  }
  return faults;
}
