// Verifies: F13: what the store lost of a session is missing, and not erased: in its requests, and in the file that it becomes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, type ObjectStore, stepId } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession, rebuildPrompts } from "@cm/session";
import { expect, it, onTestFinished } from "vitest";
import { exportSession, importSession } from "../src/index.ts";
import { allOf } from "./all-of.ts";
import { smallRecordings } from "./support/small-recordings.ts";

it("a lost call is missing in every request that names it", async () => {
  const store = createMemoryStore();
  const { session, steps } = await importSession(store, sessionFile());
  const call = (await store.find({ type: "toolcall", session })).versions[0]?.id ?? expect.unreachable();
  const lossy = without(store, call);

  const rebuilt = await allOf(rebuildPrompts(lossy, session, rendererFor));
  const open = await openSession({ store: lossy, layout: layouts.log, rendererFor, session });
  const { messages } = await open.assemble();

  expect(steps).toBeGreaterThan(1);
  expect(rebuilt.at(-1)?.missing).not.toEqual([]);
  const said = messages.map(({ text }) => text).join("\n");
  expect(said).toContain("was lost, since the database is damaged");
  expect(said).not.toContain("erased");
  await open.abandon();
});

it.each(["an imported session", "a live one"])("a lost call of %s is said to be missing in its file", async (kind) => {
  const store = createMemoryStore();
  const session =
    kind === "a live one" ? await liveSession(store) : (await importSession(store, sessionFile())).session;
  const call = (await store.find({ type: "toolcall", session })).versions[0]?.id ?? expect.unreachable();

  const { lines, facts } = await exportSession(without(store, call), session, { as: "pi", cwd: "/w" });
  const file = (await allOf(lines)).join("");

  expect(facts).toMatchObject({ erased: 0 });
  expect(facts.missing).toBeGreaterThan(0);
  expect(file).toContain("[missing]");
  expect(file).not.toContain("[erased]");
});

it.each([
  ["in the middle", 1],
  ["newest", 2],
])("a session that lost its step %s becomes no file without it", async (_where, n) => {
  const store = createMemoryStore();
  const session = await liveSession(store);

  const { lines } = await exportSession(without(store, stepId({ session, n })), session, { as: "pi", cwd: "/w" });

  await expect(allOf(lines)).rejects.toMatchObject({ code: "exchange/damaged" });
});

/** Three steps, the first one with a call. */
async function liveSession(store: ObjectStore): Promise<string> {
  const open = await openSession({ store, layout: layouts.log, rendererFor, session: "live" });
  for (const n of [0, 1, 2]) {
    await open.receive([{ role: "user", text: `Question ${n}` }]);
    await open.assemble();
    const calls = n === 0 ? [{ callId: "c1", tool: "bash", args: { command: "ls" } }] : [];
    const results = calls.map(({ callId }) => ({ role: "tool" as const, callId, text: "a.ts", failed: false }));
    await open.record({ answer: { role: "assistant", text: `Answer ${n}`, calls }, results });
  }
  await open.close();
  return open.session;
}

/** Two answers, each with a call, so that the file's first commit has more than one step. */
function sessionFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "cm-exchange-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [header, ...entries] = smallRecordings.pi ?? expect.unreachable();
  const again = JSON.parse(JSON.stringify(entries).replaceAll("t1", "t2"));
  const path = join(folder, "session.jsonl");
  writeFileSync(path, [header, ...entries, ...again].map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}

/** The store with one object gone, as after damage of its file. */
function without(store: ObjectStore, lost: string): ObjectStore {
  return {
    contract: store.contract,
    getMany: async (ids, at, options) =>
      store.getMany(
        ids.filter((id) => id !== lost),
        at,
        options,
      ),
    commit: (writes, options) => store.commit(writes, options),
    history: async (id, page) => (id === lost ? { versions: [] } : store.history(id, page)),
    find: (filter, page) => store.find(filter, page),
    erase: (named, reason) => store.erase(named, reason),
  };
}
