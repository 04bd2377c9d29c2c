// Verifies: SSOT 4.4 (8), (10): a result that comes when its call has left a full window leaves, too, and its output is told.
import type { PromptMessage } from "@cm/context-log";
import { runContextTool } from "@cm/context-tool";
import { createMemoryStore } from "@cm/object-model";
import { parse } from "@cm/prompt-grammar";
import { layouts, rendererFor, ssotAliasLayout, ssotWindowPolicy } from "@cm/render";
import { describe, expect, it } from "vitest";
import { openSession, rebuildPrompts, type Session } from "../src/index.ts";

const tested = { ...layouts, "ssot-alias": { policy: ssotWindowPolicy(), renderer: ssotAliasLayout } };
const store = () => createMemoryStore();

type Name = "log" | "ssot" | "ssot-alias";
const open = (of: ReturnType<typeof store>, layout: Name): Promise<Session> =>
  openSession({ store: of, session: "s", layout: tested[layout], rendererFor, window: { bytesMax: 20_000 } });

const said = (text: string) => ({ role: "user" as const, text });
const result = (callId: string, text: string) => ({ role: "tool" as const, callId, text, failed: false });
const call = (callId: string) => ({ callId, tool: "deploy", args: { command: `run ${callId} ${"x".repeat(900)}` } });

/** A call without a result, and so many others after it, or so many words, that it leaves. */
async function playUntilItLeft(session: Session, calls: "calls" | "words" = "calls"): Promise<void> {
  await session.receive([said("Deploy it.")]);
  await session.assemble();
  await session.record({ answer: { role: "assistant", text: "", calls: [call("late")] } });
  for (let n = 0; session.view().log[1]?.kind !== "omitted"; n += 1) {
    await session.receive([said(`Prompt ${n}.`)]);
    await session.assemble();
    const text = "y".repeat(900);
    if (calls === "words") await session.record({ answer: { role: "assistant", text } });
    else {
      const results = [result(`c${n}`, text)];
      await session.record({ answer: { role: "assistant", text: "", calls: [call(`c${n}`)] }, results });
    }
  }
}

const toolIds = (messages: readonly PromptMessage[]): readonly (string | undefined)[] =>
  messages.flatMap(({ role, callId }) => (role === "tool" ? [callId] : []));

describe.each(["log", "ssot", "ssot-alias"] as const)("a result whose call has left, under layout %s", (layout) => {
  it("stands in no message of its own, and its output is brought back in the request that it comes with", async () => {
    const of = store();
    const session = await open(of, layout);
    await playUntilItLeft(session);
    const alias = await aliasOfNext(session);
    await session.receive([result("late", "deployed at noon")]);

    const prompt = await session.assemble();
    await session.record({ answer: { role: "assistant", text: "Seen." } });

    expect(toolIds(prompt.messages)).not.toContain("late");
    expect(prompt.messages.filter(({ text }) => text.includes("deployed at noon"))).toHaveLength(1);
    const lines = parse(prompt).flatMap((block) =>
      block.kind === "notice" && block.notice.kind === "earlier" ? [block.notice] : [],
    );
    const left = session.view().log.filter((entry) => entry.kind === "omitted" && entry.was === "result");
    expect(lines).toMatchObject([{ calls: left.length }]);
    expect((await runContextTool(session, { id: alias })).text).toContain("deployed at noon");
    expect((await runContextTool(session, { action: "list", match: "at noon" })).text).toContain(`${alias} deploy`);
    await isTheSameAgain(of, session, layout);
  });

  it("is brought back with the first result that there is, where none stands", async () => {
    const of = store();
    const session = await open(of, layout);
    await playUntilItLeft(session, "words");
    await session.receive([said("And now?"), result("late", "deployed at noon")]);

    const without = await session.assemble();
    await session.record({
      answer: { role: "assistant", text: "", calls: [call("next")] },
      results: [result("next", "done")],
    });
    const prompt = await session.assemble();
    await session.record({ answer: { role: "assistant", text: "Seen." } });

    expect(toolIds(without.messages)).toEqual([]);
    expect(toolIds(prompt.messages)).toEqual(["next"]);
    expect(prompt.messages.some(({ text }) => text.includes("deployed at noon"))).toBe(true);
    await isTheSameAgain(of, session, layout);
  });

  it("is so after a pause, too, and in a session that has no window any more", async () => {
    const of = store();
    const session = await open(of, layout);
    await playUntilItLeft(session);
    await session.receive([result("late", "deployed at noon")]);
    await session.close();

    const again = await openSession({ store: of, session: "s", layout: tested[layout], rendererFor });
    const { messages } = await again.assemble();
    await again.record({ answer: { role: "assistant", text: "Seen." } });

    expect(toolIds(messages)).not.toContain("late");
    expect(messages.some(({ text }) => text.includes("deployed at noon"))).toBe(true);
    await isTheSameAgain(of, again, layout);
  });
});

/** The short name that the next call's output gets. */
async function aliasOfNext(session: Session): Promise<string> {
  const { objects } = await session.list({});
  return `t${objects.length + 1}`;
}

async function isTheSameAgain(of: ReturnType<typeof store>, session: Session, layout: Name): Promise<void> {
  const before = session.view();
  await session.close();
  const again = await open(of, layout);
  expect(again.view().log).toEqual(before.log);
  expect(again.view().sets).toEqual(before.sets);
  await again.close();
  for await (const { hash, recordedHash } of rebuildPrompts(of, "s", rendererFor)) expect(hash).toBe(recordedHash);
}
