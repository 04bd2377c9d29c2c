// Verifies: a session that was recorded live is one file with all its branches and forks, where Pi finds each of them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentMessage, buildSessionContext, type SessionEntry } from "@cm/journal";
import { createMemoryStore, isDocumentOf, type ObjectStore, type StepAddress, stepId } from "@cm/object-model";
import { rendererFor } from "@cm/render";
import { eraseObjects } from "@cm/session";
import { verifyStore } from "@cm/session/verify";
import { rebuildPrompt } from "@cm/step-log";
import { forSeeds } from "@cm/testkit";
import { afterAll, describe, expect, test } from "vitest";
import { exportSession, importSession } from "../src/index.ts";
import { allOf } from "./all-of.ts";
import { LiveSessions, randomLive } from "./support/live-session.ts";
import { piSessions } from "./support/pi-session-manager.ts";

const pi = await piSessions();
const folder = mkdtempSync(join(tmpdir(), "cm-exchange-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type As = "pi" | "omp";

async function exported(store: ObjectStore, session: string, as: As = "pi"): Promise<string> {
  const { lines } = await exportSession(store, session, { as, cwd: "/work" });
  return (await allOf(lines)).join("");
}

function entriesOf(text: string): readonly SessionEntry[] {
  return text
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line) as SessionEntry);
}

function written(text: string): string {
  const file = join(folder, "exported.jsonl");
  writeFileSync(file, text);
  return file;
}

/** Texts, calls, images and thoughts, as one line for each message. */
const said = (messages: readonly AgentMessage[]): string =>
  messages
    .map(({ role, content }) =>
      [
        role,
        ...(content as readonly Record<string, unknown>[]).map((part) => JSON.stringify({ ...part, type: undefined })),
      ].join(" "),
    )
    .join("\n");

/** What was said up to each end of the file's tree. */
function ends(entries: readonly SessionEntry[]): readonly string[] {
  const talk = entries.filter(({ type }) => type === "message");
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const continued = new Set<string>();
  for (const { parentId } of talk)
    for (let id = parentId; id !== null && !continued.has(id); id = byId.get(id)?.parentId ?? null) continued.add(id);
  return talk
    .filter(({ id }) => !continued.has(id))
    .map(({ id }) => said(buildSessionContext([...entries], id).messages));
}

/** The same of the store, from the steps themselves. */
async function storedEnds(store: ObjectStore, steps: readonly StepAddress[]): Promise<readonly string[]> {
  const parents = new Map<string, StepAddress | null>();
  const messages = new Map<string, string>();
  for (const address of steps) {
    const step = (await store.getMany([stepId(address)])).get(stepId(address))?.document;
    if (!isDocumentOf(step, "step")) continue;
    parents.set(stepId(address), step.parent);
    messages.set(stepId(address), await saidIn(store, step.messages));
  }
  const continued = new Set([...parents.values()].map((parent) => (parent === null ? "" : stepId(parent))));
  return [...parents.keys()]
    .filter((id) => !continued.has(id))
    .map((id) => {
      const path: string[] = [];
      for (let at: string | undefined = id; at !== undefined; ) {
        path.push(messages.get(at) ?? "");
        const parent = parents.get(at);
        at = parent === null || parent === undefined ? undefined : stepId(parent);
      }
      return path.reverse().join("\n");
    });
}

async function saidIn(store: ObjectStore, messages: readonly StoredMessage[]): Promise<string> {
  const content = async (id: unknown) => (await store.getMany([String(id)])).get(String(id))?.document;
  const lines: string[] = [];
  for (const { role, text, thinking, calls, object, attachments } of messages) {
    const parts: unknown[] = [];
    for (const { text: thought, signature } of thinking ?? [])
      parts.push({ thinking: thought, thinkingSignature: signature });
    if (role === "tool") parts.push({ text: (await content(object))?.content });
    else if (text !== "") parts.push({ text });
    for (const { sha256, mime } of attachments ?? [])
      parts.push({ data: (await content(`attachment:${sha256}`))?.content, mimeType: mime });
    for (const call of calls ?? [])
      parts.push({ id: call.call_id, name: call.tool, arguments: (await content(call.object))?.args });
    lines.push([role === "tool" ? "toolResult" : role, ...parts.map((part) => JSON.stringify(part))].join(" "));
  }
  return lines.join("\n");
}

interface StoredMessage {
  readonly role: string;
  readonly text?: string;
  readonly object?: string;
  readonly thinking?: readonly { readonly text: string; readonly signature?: string | undefined }[] | undefined;
  readonly calls?:
    | readonly { readonly call_id: string; readonly tool: string; readonly object?: string | undefined }[]
    | undefined;
  readonly attachments?: readonly { readonly sha256: string; readonly mime: string }[] | undefined;
}

describe("a session that was recorded live", () => {
  test("is a file with its branches and forks, which ends where the session stands", async () => {
    const live = new LiveSessions();
    await live.talk("live", [
      { said: "Read a.ts.", answer: "I look.", call: "a.ts", systemPrompt: "Be brief." },
      { answer: "It is empty." },
    ]);
    await live.fork({ session: "live", n: 0 }, "other");
    await live.talk("other", [{ said: "In the fork.", answer: "Forked.", systemPrompt: "Be long." }], "waits");
    await live.back("live", { session: "live", n: 0 });
    await live.talk("live", [{ said: "Once more.", answer: "Still empty." }]);

    const text = await exported(live.store, "live");
    const entries = entriesOf(text);

    const tree = entries.map(({ id, parentId, ...entry }) => {
      const { type, customType, label, message } = entry as Record<string, unknown>;
      const parent = entries.findIndex((other) => other.id === parentId);
      return [parent, message === undefined ? (customType ?? label ?? type) : (message as AgentMessage).role];
    });
    expect(tree).toEqual([
      [-1, "cm-system-prompt"],
      ...[0, 1, 2].map((parent, place) => [parent, ["user", "assistant", "toolResult"][place]]),
      [3, "assistant"],
      [3, "user"],
      [5, "assistant"],
      [3, "cm-system-prompt"],
      [7, "user"],
      [8, "assistant"],
      [9, "user"],
      [10, "fork other"],
      [6, "cm-leaf"],
    ]);
    expect(JSON.parse(text.split("\n")[0] ?? "")).toEqual({
      ...{ type: "session", version: 3, id: "live", cwd: "/work" },
      timestamp: entries[3]?.timestamp,
    });
    const { messages } = buildSessionContext([...entries]);
    expect(said(messages)).toMatch(/Read a\.ts.*I look.*content of a\.ts.*Once more.*Still empty/s);
    expect(said(messages)).not.toMatch(/It is empty|fork/);
    expect(messages[1]).toMatchObject({
      ...{ provider: "openrouter", api: "openai-completions", model: "gpt-5", stopReason: "toolUse" },
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10 },
    });
  });

  test("of which a step was erased goes on behind the step before it", async () => {
    const live = new LiveSessions();
    await live.talk("live", [
      { said: "one", answer: "first" },
      { said: "two", answer: "second", call: "a.ts" },
      { said: "three", answer: "third" },
    ]);
    await live.store.erase([stepId({ session: "live", n: 1 })], "a test");

    const { lines, facts } = await exportSession(live.store, "live", { as: "pi", cwd: "/work" });
    const entries = entriesOf((await allOf(lines)).join(""));

    const texts = buildSessionContext([...entries]).messages.map(({ content }) => JSON.stringify(content));
    expect(texts.join(" ")).toMatch(/one.*first.*three.*third/);
    expect(texts.join(" ")).not.toMatch(/two|second/);
    expect(facts.erased).toBe(1);
  });

  test("of which texts were erased says so where they stood", async () => {
    const live = new LiveSessions();
    await live.talk("live", [{ said: "one", answer: "first", call: "a.ts" }]);
    await eraseObjects(live.store, [stepId({ session: "live", n: 0 })], "a test");

    const { lines, facts } = await exportSession(live.store, "live", { as: "pi", cwd: "/work" });
    const { messages } = buildSessionContext([...entriesOf((await allOf(lines)).join(""))]);

    expect(said(messages)).not.toMatch(/one|first/);
    expect(said(messages).match(/\[erased\]/g)).toHaveLength(2);
    expect(facts.erased).toBeGreaterThan(2);
  });

  test("that is a fork names the session that it began in, and holds what it inherited", async () => {
    const live = new LiveSessions();
    await live.talk("live", [{ said: "one", answer: "first" }]);
    await live.talk("live", [{ said: "left out", answer: "second" }]);
    await live.fork({ session: "live", n: 0 }, "other");
    await live.talk("other", [{ said: "two", answer: "forked" }]);

    const text = await exported(live.store, "other");

    expect(JSON.parse(text.split("\n")[0] ?? "")).toMatchObject({ id: "other", parentSession: "live" });
    const texts = buildSessionContext([...entriesOf(text)]).messages.map(({ content }) => JSON.stringify(content));
    expect(texts.join(" ")).toMatch(/one.*first.*two.*forked/);
    expect(text).not.toContain("left out");
  });

  test("is the same session in another store, by its file, however it went back and was forked", async () => {
    await forSeeds({ short: 30, long: 2000, file: "packages/exchange/test/live-sessions.test.ts" }, async (random) => {
      const live = await randomLive(random);
      const as = random.pick<As>(["pi", "omp"]);
      const text = await exported(live.store, "live", as);
      const file = written(text);
      const store = createMemoryStore();

      const { session, steps } = await importSession(store, file);
      const again = await exported(store, session, as);

      expect(again).toBe(text);
      expect(steps).toBe(live.steps.length);
      const ofLive = await storedEnds(live.store, live.steps);
      const numbers = Array.from({ length: steps }, (_, n) => ({ session, n }));
      expect(new Set(await storedEnds(store, numbers))).toEqual(new Set(ofLive));
      const entries = entriesOf(text);
      for (const end of ofLive) expect(ends(entries).some((inFile) => inFile.startsWith(end))).toBe(true);
      expect(await allOf(verifyStore(store))).toEqual([]);
      if (as === "omp") return;
      const theirs = pi.SessionManager.open(file);
      expect(theirs.getLeafId()).toBe(entries.at(-1)?.id);
      expect(pi.buildSessionContext(theirs.getEntries()).messages).toEqual(buildSessionContext([...entries]).messages);
    });
  });

  test("that went on is a longer file, where the first one ended with its newest step", async () => {
    const live = new LiveSessions();
    const other = createMemoryStore();
    await live.talk("live", [{ said: "one", answer: "first", systemPrompt: "Be brief." }]);
    await live.talk("live", [{ said: "two", answer: "second", call: "a.ts" }]);
    const first = await importSession(other, written(await exported(live.store, "live")));
    await live.back("live", { session: "live", n: 0 });
    await live.talk("live", [{ said: "three", answer: "third" }], "waits");

    const second = await importSession(other, written(await exported(live.store, "live")));
    await live.talk("live", [{ answer: "answered" }]);
    const third = await importSession(other, written(await exported(live.store, "live"))).catch(({ code }) => code);

    expect([first.outcome, second.outcome, second.steps]).toEqual(["imported", "extended", 1]);
    expect(third).toBe("exchange/changed");
  });

  test("keeps the instructions of each step", async () => {
    const live = new LiveSessions();
    await live.talk("live", [
      { said: "one", answer: "first", systemPrompt: "Be brief." },
      { said: "two", answer: "second", systemPrompt: "Be long." },
      { said: "three", answer: "third", systemPrompt: "Be brief." },
    ]);

    for (const as of ["pi", "omp"] as const) {
      const store = createMemoryStore();
      await importSession(store, written(await exported(live.store, "live", as)));

      const rebuilt = await Promise.all(
        [0, 1, 2].map((n) => rebuildPrompt(store, { session: "live", n }, rendererFor)),
      );
      const texts = rebuilt.map(({ prompt }) => /Be \w+\./.exec(JSON.stringify(prompt))?.[0]);
      expect(texts).toEqual(["Be brief.", "Be long.", "Be brief."]);
      for (const { hash, recordedHash } of rebuilt) expect(hash).toBe(recordedHash);
    }
  });
});
