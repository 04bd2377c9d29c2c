// Verifies: SSOT 4.4 (10): what leaves the prompt as a whole is named, listed, searched and brought back.

import type { PromptMessage } from "@cm/context-log";
import { contextTool, runContextTool } from "@cm/context-tool";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { parse } from "@cm/prompt-grammar";
import { layouts } from "@cm/render";
import { describe, expect, it } from "vitest";
import { forkSession, openSession, rebuildPrompts, type Session, sessionAt } from "../src/index.ts";
import { type Finding, verifyStore } from "../src/verify.ts";

const rendererFor = (layout: string) =>
  [layouts.log.renderer, layouts.ssot.renderer].find((renderer) => renderer.layout === layout);

const open = (store: ObjectStore, session = "s", layout: "log" | "ssot" = "log"): Promise<Session> =>
  openSession({ store, session, layout: layouts[layout], rendererFor, window: { bytesMax: 20_000 } });

/** Turns of two calls each: far more than the window has room for. */
async function play(session: Session, turns: number, from = 0): Promise<void> {
  for (let turn = from; turn < from + turns; turn += 1) {
    await session.receive([
      { role: "user", text: `Prompt number ${turn + 1}, about ${turn === 2 ? "marmots" : "work"}.` },
    ]);
    for (const call of [`a${turn}`, `b${turn}`]) {
      await session.assemble();
      await session.record({
        answer: {
          role: "assistant",
          text: turn === 3 ? "The hamster is the culprit." : `Answer to ${call}.`,
          calls: [{ callId: call, tool: "bash", args: { command: `run ${call} ${"x".repeat(120)}` } }],
        },
        results: [{ role: "tool", callId: call, text: `output of ${call}\n${"y".repeat(900)}`, failed: false }],
      });
    }
  }
}

describe.each(["log", "ssot"] as const)("a session under layout %s in a window that is full", (layout) => {
  it("says in one line what left, truly", async () => {
    const store = createMemoryStore();
    const session = await open(store, "s", layout);
    await play(session, 60);
    await session.receive([{ role: "user", text: "Go on." }]);

    const prompt = await session.assemble();

    const left = session.view().log.filter((entry) => entry.kind === "omitted" && entry.was === "result").length;
    const notices = parse(prompt).flatMap((block) =>
      block.kind === "notice" && block.notice.kind === "earlier" ? [block.notice] : [],
    );
    expect(left).toBeGreaterThan(0);
    expect(notices).toMatchObject([{ kind: "earlier", calls: left, tools: [{ tool: "bash", calls: left }] }]);
    expect(prompt.messages[0]).toMatchObject({ role: "user" });
    const results = prompt.messages.filter(({ role }) => role === "tool").length;
    expect(results + left).toBe(120);
    expect([session.chat().turn_count, session.chat().toolcall_refs.length]).toEqual([61, 120]);
    const { chat } = await sessionAt(store, { session: "s", n: 119 });
    expect([chat.turn_count, chat.toolcall_refs.length]).toEqual([60, 120]);
  });
});

describe.each(["log", "ssot"] as const)("a session under layout %s goes on for ever", (layout) => {
  /** Ids of calls without a result, and of results without a call, in a prompt. */
  const alone = ({ messages }: { readonly messages: readonly PromptMessage[] }): readonly string[] => {
    const asked = messages.flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []));
    const answered = messages.flatMap((message) => (message.role === "tool" ? [message.callId ?? ""] : []));
    return [
      ...asked.map(({ callId }) => callId).filter((id) => !answered.includes(id)),
      ...answered.filter((id) => !asked.some(({ callId }) => callId === id)),
    ];
  };

  it.each(["many turns", "one turn"])("whose results come behind the steps of their calls, in %s", async (turns) => {
    const store = createMemoryStore();
    const session = await open(store, "s", layout);
    await session.receive([{ role: "user", text: "Begin." }]);
    for (let n = 0; n < 200; n += 1) {
      const prompt = await session.assemble();
      expect(alone(prompt)).toEqual([]);
      // Providers use an id again.
      const callId = `c${n % 7}`;
      const calls = [{ callId, tool: "bash", args: { command: `run ${n} ${"x".repeat(120)}` } }];
      await session.record({ answer: { role: "assistant", text: `Answer ${n}.`, calls } });
      const prompts = turns === "one turn" || n % 5 > 0 ? [] : [{ role: "user" as const, text: `Prompt ${n}.` }];
      await session.receive([
        { role: "tool", callId, text: `output ${n} ${"y".repeat(300)}`, failed: false },
        ...prompts,
      ]);
    }
    await isTheSameAgain(store, session, layout);
  });

  it("whose calls of earlier turns have no result, because they were interrupted", async () => {
    const store = createMemoryStore();
    const session = await open(store, "s", layout);
    for (let n = 0; n < 200; n += 1) {
      await session.receive([{ role: "user", text: `Prompt ${n}.` }]);
      await session.assemble();
      const calls = ["a", "b"].map((name) => ({
        callId: `${name}${n}`,
        tool: "bash",
        args: { command: `run ${"x".repeat(120)}` },
      }));
      const results =
        n % 2 === 0 ? [] : [{ role: "tool" as const, callId: `a${n}`, text: "y".repeat(300), failed: false }];
      await session.record({ answer: { role: "assistant", text: `Answer ${n}.`, calls }, results });
    }
    expect(session.view().log[1]).toMatchObject({ kind: "omitted", was: "assistant" });
    await isTheSameAgain(store, session, layout);
  });
});

describe.each(["log", "ssot"] as const)("a full window under layout %s", (layout) => {
  it("begins with what the user said, also where a result comes now whose call was made turns ago", async () => {
    const session = await open(createMemoryStore(), "s", layout);
    const said = (name: string, chars: number) => ({ role: "user" as const, text: `${name} ${"x".repeat(chars)}` });
    for (const callId of ["late", "other"]) {
      await session.receive([said(`Prompt of ${callId}.`, 3_000)]);
      await session.assemble();
      const calls = [{ callId, tool: "bash", args: { command: `run ${callId} ${"y".repeat(2_000)}` } }];
      await session.record({ answer: { role: "assistant", text: "", calls } });
    }
    await session.receive([said("Go on.", 14_500), { role: "tool", callId: "late", text: "done", failed: false }]);

    const { messages } = await session.assemble();

    const spoken = messages.filter(({ id }) => /^\d/.test(id));
    expect(spoken.map(({ role }) => role)).toEqual(["user", "assistant", "user", "tool"]);
    expect(spoken[0]?.text).toContain("Prompt of late.");
    await session.close();
  });
});

describe.each(["log", "ssot"] as const)("a session without calls in a full window under layout %s", (layout) => {
  it("says at each request what left, above a prompt that stands to the letter", async () => {
    const store = createMemoryStore();
    const session = await open(store, "s", layout);
    const said = (n: number) => `[cm: not ours ${n}]\nPrompt ${n}. ${"x".repeat(500)}`;
    for (let n = 0; n < 120; n += 1) {
      await session.receive([{ role: "user", text: said(n) }]);
      const blocks = parse(await session.assemble());
      await session.record({ answer: { role: "assistant", text: `Answer ${n}. ${"y".repeat(500)}` } });

      const left = session.view().log.flatMap((entry) => (entry.kind === "omitted" ? [entry] : []));
      const prompts = left.filter(({ was }) => was === "user").length;
      const notices = blocks.flatMap((block) =>
        block.kind === "notice" && block.notice.kind === "earlier" ? [block.notice] : [],
      );
      expect(notices).toEqual(
        left.length === 0
          ? []
          : [
              {
                kind: "earlier",
                calls: 0,
                tools: [],
                ...(prompts === 0 ? {} : { prompts }),
                turns: { from: (left[0]?.turn ?? 0) + 1, to: (left.at(-1)?.turn ?? 0) + 1 },
              },
            ],
      );
      const words = blocks.flatMap((block) => (block.kind === "user" ? [block.text] : []));
      expect(words).toEqual(Array.from({ length: n + 1 }, (_, place) => said(place)).slice(-words.length));
    }
    expect(session.view().log[0]?.kind).toBe("omitted");
    await isTheSameAgain(store, session, layout);
  });
});

/** Opened again, and with each request rebuilt as it was sent. */
async function isTheSameAgain(store: ObjectStore, session: Session, layout: "log" | "ssot"): Promise<void> {
  const before = session.view();
  await session.close();
  const again = await open(store, "s", layout);
  expect(again.view().log).toEqual(before.log);
  await again.close();
  for await (const { hash, recordedHash } of rebuildPrompts(store, "s", rendererFor)) expect(hash).toBe(recordedHash);
}

describe("what left the prompt", () => {
  it("is brought back by the tool: an output, a turn, a line that was said", async () => {
    const session = await open(createMemoryStore());
    await play(session, 60);
    const ask = async (args: object) => (await runContextTool(session, args)).text;

    expect(session.view().objects.get("a0")).toMatchObject({ text: null, inStore: true });
    expect(await ask({ id: "t1" })).toContain("output of a0");
    expect(await ask({ id: "t1.input" })).toContain("run a0");
    expect(await ask({ id: "turn3" })).toContain("user: Prompt number 3, about marmots.");
    expect(await ask({ id: "turn3" })).toMatch(/call: t5 bash/);
    expect(await ask({ id: "turn400" })).toContain("no such turn");
    expect(await ask({ action: "list", match: "hamster" })).toContain("turn4: The hamster is the culprit.");
    expect(await ask({ action: "list", match: "output of a0" })).toContain("t1 bash");
    expect(await ask({ action: "list" })).toMatch(/Of turns 1 to \d+ not all is in view: show turn\d+ brings back/);
    expect(contextTool.name).toBe("cm_context");
  });

  it("is found by the model whose request says that it left, before its answer is recorded", async () => {
    const session = await open(createMemoryStore());
    for (let n = 0; ; n += 1) {
      await session.receive([{ role: "user", text: `Prompt ${n}.` }]);
      const { messages } = await session.assemble();
      if (messages.some(({ text }) => text.includes("left out above"))) break;
      const call = { callId: `c${n}`, tool: "bash", args: { command: `run ${n} ${"x".repeat(120)}` } };
      const results = [{ role: "tool" as const, callId: call.callId, text: "y".repeat(900), failed: false }];
      await session.record({ answer: { role: "assistant", text: `Answer ${n}.`, calls: [call] }, results });
    }

    const found = await runContextTool(session, { action: "list", match: "Answer 0." });
    const all = await runContextTool(session, { action: "list" });

    expect(found.text).toContain("turn1: Answer 0.");
    expect(all.text).toMatch(/Of turns 1 to \d+ not all is in view/);
  });

  it("is brought back of calls without an output, too: their arguments, and what they were", async () => {
    const store = createMemoryStore();
    const session = await open(store);
    await session.receive([{ role: "user", text: "Begin." }]);
    await session.assemble();
    const written = "n ".repeat(2_000);
    const calls = [{ callId: "cut", tool: "write", args: { path: "a.ts", content: written } }];
    const results = [{ role: "tool" as const, callId: "cut", text: null, failed: true }];
    await session.record({ answer: { role: "assistant", text: "", calls }, results });
    const ask = async (id: string) => (await runContextTool(session, { id })).text;
    for (const inView of [true, false]) {
      if (!inView) await play(session, 60);
      expect(session.view().log[2]?.kind).toBe(inView ? "result" : "omitted");

      expect(await ask("t1")).toContain("t1 cannot be shown: no output of it is known.");
      expect(await ask("t1.input")).toContain(`\ncontent: ${written}`);
      expect(await ask("turn1")).toContain("call: t1 write a.ts, failed");
    }
    await session.erase(["t1"], "a leak");
    expect(await ask("t1.input")).toContain("its text was erased");
  });

  it.each(["log", "ssot"] as const)(
    "comes back into the prompt after an activation, also in the rebuilt one, under layout %s",
    async (layout) => {
      const store = createMemoryStore();
      const session = await open(store, "s", layout);
      await play(session, 60);

      expect(await session.command({ action: "activate", id: "t1" })).toMatchObject({ done: true });
      const prompt = await session.assemble();
      await session.record({ answer: { role: "assistant", text: "Seen." } });

      expect(prompt.messages.some(({ text }) => text.includes("output of a0"))).toBe(true);
      const rebuilt = await session.promptAt(120);
      expect(rebuilt).toMatchObject({ complete: true, hash: rebuilt.recordedHash });
      await session.close();
      const again = await open(store, "s", layout);
      expect((await again.assemble()).messages.some(({ text }) => text.includes("output of a0"))).toBe(true);
    },
  );

  it.each(["log", "ssot"] as const)(
    "comes back where it was asked for before a pause, under layout %s",
    async (layout) => {
      const store = createMemoryStore();
      const session = await open(store, "s", layout);
      await play(session, 60);
      await session.command({ action: "activate", id: "t1" });
      await session.close();

      const again = await open(store, "s", layout);
      const prompt = await again.assemble();
      await again.record({ answer: { role: "assistant", text: "Seen." } });

      expect(prompt.messages.some(({ text }) => text.includes("output of a0"))).toBe(true);
      await isTheSameAgain(store, again, layout);
    },
  );

  it("leaves memory again after an activation, once its text left the prompt again", async () => {
    const store = createMemoryStore();
    const session = await open(store);
    await play(session, 60);
    const isInStore = (of: Session) => of.view().objects.get("a0")?.inStore === true;
    expect(isInStore(session)).toBe(true);

    await session.command({ action: "activate", id: "t1" });
    await play(session, 1, 60);
    expect(isInStore(session)).toBe(false);
    await play(session, 60, 61);

    expect(isInStore(session)).toBe(true);
    const before = session.view();
    await session.close();
    expect([...(await open(store)).view().objects]).toEqual([...before.objects]);
    const findings: Finding[] = [];
    for await (const finding of verifyStore(store)) findings.push(finding);
    expect(findings).toEqual([]);
  });

  it("is the same in a session that is opened again, and in a fork", async () => {
    const store = createMemoryStore();
    const session = await open(store);
    await play(session, 60);
    const before = session.view();
    await session.close();

    const again = await open(store);

    expect(again.view().log).toEqual(before.log);
    expect([...again.view().objects]).toEqual([...before.objects]);
    expect([...again.view().forms].sort()).toEqual([...before.forms].sort());
    await forkSession(store, { session: "s", n: 100 }, { session: "fork" });
    const fork = await open(store, "fork");
    await play(fork, 5, 60);
    expect((await runContextTool(fork, { id: "turn3" })).text).toContain("marmots");
    expect((await runContextTool(fork, { id: "turn52" })).text).toContain("Prompt number 61");
  });

  it("is erased as all else is", async () => {
    const store = createMemoryStore();
    const session = await open(store);
    await play(session, 60);

    await session.erase(["t1"], "a leak");

    expect((await runContextTool(session, { id: "t1" })).text).toContain("erased");
    await session.assemble();
    const findings: Finding[] = [];
    for await (const finding of verifyStore(store)) findings.push(finding);
    expect(findings).toMatchObject([{ id: "a0", problem: "erased" }]);
  });
});
