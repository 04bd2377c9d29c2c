// Verifies: SSOT 3.11, 2.8, F13: an import that was cut is said as such, is no damage, hides none, and is over when repeated.
import { createMemoryStore, leaseId, type ObjectStore } from "@cm/object-model";
import { forkSession } from "@cm/session";
import { type Finding, isDamage, unfinishedImports, verifyStore } from "@cm/session/verify";
import { describe, expect, it } from "vitest";
import { importBundle } from "../src/index.ts";
import { bundleOf, opening } from "./support/bytes.ts";
import { failingAt } from "./support/failing-at.ts";
import { at } from "./support/files.ts";
import { sample } from "./support/sample.ts";
import { openOn } from "./support/stage.ts";

async function findingsIn(store: ObjectStore): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of verifyStore(store)) findings.push(finding);
  return findings;
}

async function unfinishedIn(store: ObjectStore): Promise<readonly string[]> {
  const sessions: string[] = [];
  for await (const session of unfinishedImports(store)) sessions.push(session);
  return sessions;
}

/** The sample, an export of it, and one that has a newer version of a file and two more steps. */
async function twoExports() {
  const made = await sample();
  const first = made.bytes;
  made.files.write("/a.ts", "let a = 9;");
  const open = await openOn({ store: made.store, files: made.files }, made.session);
  for (const n of [1, 2]) {
    await open.assemble({ systemPrompt: `You are test ${n}.` });
    const callId = `more-${n}`;
    await open.record({
      answer: { role: "assistant", text: "", calls: [{ callId, tool: "read", args: {} }] },
      results: [{ role: "tool", callId, text: "t", failed: false, files: [{ binding: at("/a.ts"), as: "read" }] }],
    });
  }
  await open.close();
  return { ...made, first, second: await bundleOf(made.store, made.session) };
}

const said = (session: string): Finding => ({
  id: `session:${session}`,
  type: "session",
  problem: "unfinished",
  detail: `an import of session ${session} was not finished; repeat it`,
});

/** Cuts an import before each of its commits in turn; the first writes nothing but that it began. */
async function cutEverywhere(bytes: Buffer, session: string, prepare: () => Promise<ObjectStore>) {
  const { commits } = await importBundle(await prepare(), opening(bytes));
  expect(commits).toBeGreaterThan(2);
  for (let place = 2; place <= commits; place += 1) {
    const store = await prepare();
    await expect(importBundle(failingAt(store, place, "before"), opening(bytes))).rejects.toThrow("killed");

    expect(await findingsIn(store), `cut before commit ${place}`).toEqual([said(session)]);
    expect(await unfinishedIn(store)).toEqual([session]);
    await importBundle(store, opening(bytes));
    expect(await findingsIn(store)).toEqual([]);
    expect(await unfinishedIn(store)).toEqual([]);
  }
}

describe("an import that was cut", () => {
  it("is the only finding, wherever it was cut, and none once it is repeated", async () => {
    const { second, session } = await twoExports();

    await cutEverywhere(second, session, async () => createMemoryStore());
  });

  it("is the only finding where it added steps to a session", async () => {
    const { first, second, session } = await twoExports();

    await cutEverywhere(second, session, async () => {
      const store = createMemoryStore();
      await importBundle(store, opening(first));
      return store;
    });
  });

  it("is the only finding where the session is a fork", async () => {
    const { store, files } = await sample();
    await forkSession(store, { session: "s", n: 1 }, { session: "fork" });
    const open = await openOn({ store, files }, "fork");
    await open.assemble();
    await open.record({ answer: { role: "assistant", text: "on" } });
    await open.close();

    await cutEverywhere(await bundleOf(store, "fork"), "fork", async () => createMemoryStore());
  });

  it("stays unfinished while steps of a longer bundle stand behind the heads of a shorter one", async () => {
    const { first, second, session } = await twoExports();
    const { commits } = await importBundle(createMemoryStore(), opening(second));
    const store = createMemoryStore();
    await expect(importBundle(failingAt(store, commits, "before"), opening(second))).rejects.toThrow("killed");

    await importBundle(store, opening(first));
    const between = await findingsIn(store);
    await importBundle(store, opening(second));

    expect(between).toEqual([said(session)]);
    expect(await findingsIn(store)).toEqual([]);
  });

  it("is over for a session that was not paused, too", async () => {
    const { store, files, session } = await sample();
    const open = await openOn({ store, files }, session);
    await open.assemble({ systemPrompt: "You are test 1." });
    await open.record({ answer: { role: "assistant", text: "on" } });
    const target = createMemoryStore();

    const { commits } = await importBundle(target, opening(await bundleOf(store, session)));

    expect(commits).toBeGreaterThan(2);
    expect(await findingsIn(target)).toEqual([]);
    expect(await unfinishedIn(target)).toEqual([]);
  });

  it("hides no damage: what a step names and is not there, heads that were lost after all was written", async () => {
    const { second, session } = await twoExports();
    const { commits } = await importBundle(createMemoryStore(), opening(second));
    const cut = createMemoryStore();
    await expect(importBundle(failingAt(cut, commits, "before"), opening(second))).rejects.toThrow("killed");
    const finished = createMemoryStore();
    await importBundle(finished, opening(second));

    const inCut = await findingsIn(without(cut, ["s-1"]));
    const inFinished = await findingsIn(without(finished, ["s-1"]));
    const headless = await findingsIn(without(finished, [`session:${session}`, `chat:${session}`]));

    expect(inCut.filter(isDamage)).toEqual([expect.objectContaining({ id: "step:s:1", problem: "missing" })]);
    expect(inFinished.filter(isDamage)).toEqual([expect.objectContaining({ id: "step:s:1", problem: "missing" })]);
    expect(headless.filter(isDamage).length).toBeGreaterThan(4);
    expect(headless.every(isDamage)).toBe(true);
  });

  it("leaves no mark where all went in with one commit", async () => {
    const store = createMemoryStore();
    const made = createMemoryStore();
    const open = await openOn({ store: made, files: (await sample()).files }, "one");
    await open.assemble();
    await open.record({ answer: { role: "assistant", text: "done" } });
    await open.close();

    const { commits } = await importBundle(store, opening(await bundleOf(made, "one")));

    expect(commits).toBe(1);
    expect((await store.getMany([leaseId("one")])).size).toBe(0);
  });
});

/** The store as it is where some objects were lost. */
function without(store: ObjectStore, lost: readonly string[]): ObjectStore {
  return {
    contract: store.contract,
    commit: (writes, options) => store.commit(writes, options),
    erase: (ids, reason) => store.erase(ids, reason),
    getMany: (ids, asOf) =>
      store.getMany(
        ids.filter((id) => !lost.includes(id)),
        asOf,
      ),
    history: async (id, page) => (lost.includes(id) ? { versions: [] } : store.history(id, page)),
    async find(filter, page) {
      const found = await store.find(filter, page);
      return { ...found, versions: found.versions.filter(({ id }) => !lost.includes(id)) };
    },
  };
}
