// Verifies: SSOT 3.11, F13, T7, T11: what was erased does not travel, and is told.
import {
  attachmentId,
  createMemoryStore,
  type ObjectStore,
  sealDocument,
  sha256,
  systemPromptId,
} from "@cm/object-model";
import { eraseObjects, forkSession, returnToStep, sessionAt } from "@cm/session";
import { isDamage, verifyStore } from "@cm/session/verify";
import { describe, expect, it, vi } from "vitest";
import { copyStore, importBundle, verifyBundle } from "../src/index.ts";
import { bundleOf, opening } from "./support/bytes.ts";
import { at, Files } from "./support/files.ts";
import { type AnyDocument, counted, linesIn, resealed } from "./support/lines.ts";
import { attempt } from "./support/refusal.ts";
import { sample, tickingStore } from "./support/sample.ts";
import { openOn } from "./support/stage.ts";
import { told } from "./support/told.ts";

const file = sealDocument({ type: "file", source: at("/a.ts") }, { content: "", file_type: "ts", char_count: 0 });

async function copyOf(store: ObjectStore): Promise<ObjectStore> {
  let copy = createMemoryStore();
  await copyStore(store, ({ now }) => {
    copy = Object.assign(createMemoryStore({ now }), { close: async () => {} });
    return copy;
  });
  return copy;
}

/** A store that has lost some objects. */
function without(store: ObjectStore, lost: ReadonlySet<string>): ObjectStore {
  return {
    contract: "object-store/1",
    commit: (...args) => store.commit(...args),
    erase: (...args) => store.erase(...args),
    getMany: async (ids, ...args) => new Map([...(await store.getMany(ids, ...args))].filter(([id]) => !lost.has(id))),
    find: (...args) => store.find(...args),
    history: async (id, page) => (lost.has(id) ? { versions: [], basis: "" } : store.history(id, page)),
  };
}

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe("a session of which something was erased", () => {
  it.each([
    ["a tool call", "s-1", "text 1"],
    ["a file", file["xt/id"], "let a = 2;"],
    ["its system prompt", systemPromptId("s"), "You are another test."],
  ])("travels without %s, with the same marks as before", async (_what, id, text) => {
    const { store, session } = await sample();
    await store.erase([id], "asked for");

    const bytes = await bundleOf(store, session);
    const target = createMemoryStore();
    await importBundle(target, opening(bytes));

    expect(bytes.toString()).not.toContain(text);
    expect((await verifyBundle(opening(bytes))).complete).toBe(false);
    expect(await told(target, session)).toEqual(await told(store, session));
  });

  it("tells of an erased call in the other store that it was erased, and not that it was lost", async () => {
    const { store, session } = await sample();
    await store.erase(["s-1"], "asked for");
    const target = createMemoryStore();

    await importBundle(target, opening(await bundleOf(store, session)));

    const findings = await all(verifyStore(target));
    expect(findings).toEqual([{ id: "s-1", problem: "erased", detail: "named by others, erased" }]);
    expect((await sessionAt(target, { session, n: 3 })).objects.find(({ id }) => id === "s-1")?.textless).toBe(
      "erased",
    );
    expect((await importBundle(target, opening(await bundleOf(store, session)))).outcome).toBe("unchanged");
  });

  it.each([
    ["a file", () => file["xt/id"]],
    ["an attachment", () => attachmentId(sha256(new Uint8Array([1, 2, 3])))],
    ["a system prompt", () => systemPromptId("s")],
  ])("tells of %s in the other store, in the next one, and in a copy that it was erased", async (_what, idOf) => {
    const { store, session } = await sample();
    await store.erase([idOf()], "asked for");
    const [second, third] = [createMemoryStore(), createMemoryStore()];

    await importBundle(second, opening(await bundleOf(store, session)));
    await importBundle(third, opening(await bundleOf(second, session)));
    const copies = [await copyOf(second), await copyOf(store)];

    for (const target of [second, third, ...copies]) {
      const findings = await all(verifyStore(target));
      expect(new Set(findings.map(({ problem }) => problem))).toEqual(new Set(["erased"]));
      expect(await told(target, session)).toEqual(await told(store, session));
    }
    expect((await importBundle(third, opening(await bundleOf(second, session)))).outcome).toBe("unchanged");
  });

  it("tells of what the store had lost that it was lost, and erases nothing for it", async () => {
    const { store, session } = await sample();
    const lost = new Set(["s-1", file["xt/id"], systemPromptId("s")]);
    const target = createMemoryStore();

    const bytes = await bundleOf(without(store, lost), session);
    await importBundle(target, opening(bytes));

    expect(linesIn(bytes).filter(({ kind }) => kind === "erased")).toMatchObject([
      { id: "s-1", lost: true },
      { id: file["xt/id"], lost: true },
      { id: file["xt/id"], lost: true },
      { id: systemPromptId("s"), lost: true },
    ]);
    const findings = await all(verifyStore(target));
    expect(new Set(findings.map(({ problem }) => problem))).toEqual(new Set(["missing"]));
  });

  it("is complete after an import that was cut before the mark of an erased call", async () => {
    const { store, session } = await sample();
    await store.erase(["s-1"], "asked for");
    const bytes = await bundleOf(store, session);
    const target = createMemoryStore();
    vi.spyOn(target, "erase").mockRejectedValueOnce(new Error("cut"));

    await expect(importBundle(target, opening(bytes))).rejects.toThrow("cut");
    expect((await all(verifyStore(target))).map(({ problem }) => problem)).toEqual(["unfinished"]);
    await importBundle(target, opening(bytes));

    expect((await all(verifyStore(target))).map(({ problem }) => problem)).toEqual(["erased"]);
  });

  it("stays where it is when a step that it continues was erased as a whole", async () => {
    const { store, session } = await sample();
    await store.erase(["step:s:1"], "asked for");

    await expect(bundleOf(store, session)).rejects.toMatchObject({
      code: "bundle/erased-step",
      data: { id: "step:s:1" },
    });
  });

  it("travels where only a step on a path that the session went back from was erased", async () => {
    const { store } = await sample();
    await returnToStep(store, { session: "s", n: 2 });
    await store.erase(["step:s:3"], "asked for");
    const target = createMemoryStore();

    const bytes = await bundleOf(store, "s");
    await importBundle(target, opening(bytes));

    expect(linesIn(bytes).filter(({ kind }) => kind === "erased")).toMatchObject([{ id: "step:s:3", of: "step" }]);
    expect(await told(target, "s")).toEqual(await told(store, "s"));
    expect((await verifyBundle(opening(await bundleOf(target, "s")))).counts.erased).toBe(1);
  });

  it("travels as a fork of a step before the erased one", async () => {
    const { store } = await sample();
    await store.erase(["step:s:3"], "asked for");
    const { session } = await forkSession(store, { session: "s", n: 2 }, { session: "fork" });
    const target = createMemoryStore();

    await importBundle(target, opening(await bundleOf(store, session)));

    expect(await told(target, session)).toEqual(await told(store, session));
  });
});

describe("a session in which typed text was erased", () => {
  it.each([0, 1, 3])("travels without what was typed in step %i, and goes on there", async (n) => {
    const { store, session } = await sample();
    await eraseObjects(store, [`step:s:${n}`], "asked for");
    const target = tickingStore();

    const bytes = await bundleOf(store, session);
    const { replacedSteps } = await importBundle(target, opening(bytes));

    expect(bytes.toString()).not.toContain(`do ${n}`);
    expect(replacedSteps).toEqual([`step:s:${n}`]);
    expect(await verifyBundle(opening(bytes))).toMatchObject({ complete: false, replacedSteps });
    expect(await told(target, session)).toEqual(await told(store, session));
    expect((await all(verifyStore(target))).filter(isDamage)).toEqual([]);
    const copy = await openOn({ store: target, files: new Files() }, session);
    await copy.assemble();
    await copy.record({ answer: { role: "assistant", text: "on" } });
    expect((await verifyBundle(opening(await bundleOf(target, session)))).replacedSteps).toEqual(replacedSteps);
  });

  it("is the same session for a store that has all of it, or lost it, or has less: what is there stays", async () => {
    const whole = await sample();
    const bare = await sample();
    const shorter = await sample(tickingStore(), "s", 2);
    await eraseObjects(bare.store, ["step:s:1"], "asked for");
    const without = await bundleOf(bare.store, "s");
    const first = await told(whole.store, "s");

    const intoWhole = await importBundle(whole.store, opening(without));
    const intoBare = await importBundle(bare.store, opening(whole.bytes));
    const intoShorter = await importBundle(shorter.store, opening(without));

    expect([intoWhole, intoBare, intoShorter].map(({ outcome }) => outcome)).toEqual([
      "unchanged",
      "unchanged",
      "extended",
    ]);
    expect(await told(whole.store, "s")).toEqual(first);
    expect(JSON.stringify(await told(bare.store, "s"))).not.toContain("do 1");
    expect(JSON.stringify(await told(shorter.store, "s"))).toContain("do 1");
    expect((await all(verifyStore(shorter.store))).filter(isDamage)).toEqual([]);
  });

  it("extends a store that was paused with what was typed then", async () => {
    const { store } = await sample();
    const early = createMemoryStore();
    await importBundle(early, opening(await bundleOf(store, "s")));
    const on = await openOn({ store, files: new Files() }, "s");
    await on.assemble();
    await on.record({ answer: { role: "assistant", text: "on" } });
    await on.close();
    await eraseObjects(store, ["step:s:4"], "asked for");

    const { outcome } = await importBundle(early, opening(await bundleOf(store, "s")));

    expect(outcome).toBe("extended");
    expect(JSON.stringify(await told(store, "s"))).not.toContain("and then");
  });
});

describe("a made-up replacement", () => {
  const replaced = async (change: (step: AnyDocument) => AnyDocument) => {
    const { store } = await sample();
    await eraseObjects(store, ["step:s:1"], "asked for");
    const lines = linesIn(await bundleOf(store, "s")).map((line) =>
      line.document?.["xt/id"] === "step:s:1" ? { ...line, document: change(line.document) } : line,
    );
    return counted(lines);
  };
  const replaces = (step: AnyDocument) => step.replaces as { content_hash: string; texts: object[] };

  it.each<readonly [string, string, (step: AnyDocument) => AnyDocument]>([
    [
      "of another hash",
      "bundle/bad-chain",
      (step) => resealed(step, { replaces: { ...replaces(step), content_hash: "0".repeat(64) } }),
    ],
    ["without saying so", "bundle/bad-chain", (step) => resealed(step, { replaces: undefined })],
  ])("%s is refused", async (_what, code, change) => {
    const target = createMemoryStore();

    expect((await attempt(target, opening(await replaced(change)))).said).toBe(code);

    expect((await target.find({ type: "step" })).versions).toEqual([]);
  });

  it.each<readonly [string, (step: AnyDocument) => object]>([
    ["of nothing", (step) => ({ ...replaces(step), texts: [] })],
    ["twice of one text", (step) => ({ ...replaces(step), texts: [...replaces(step).texts, ...replaces(step).texts] })],
    ["of a message that is not there", (step) => ({ ...replaces(step), texts: [{ message: 99, part: "text" }] })],
    ["of a result", (step) => ({ ...replaces(step), texts: [{ message: 2, part: "text" }] })],
    ["of thinking in a prompt", (step) => ({ ...replaces(step), texts: [{ message: 0, part: "thinking" }] })],
  ])("%s is no document", async (_what, change) => {
    const bytes = replaced((step) => ({ ...step, replaces: change(step) }));

    expect((await attempt(createMemoryStore(), opening(await bytes))).said).toBe("bundle/invalid-document");
  });

  it("with the text that it says is gone is no document, and with another one is named", async () => {
    const speaking = (text: string) => (step: AnyDocument) => {
      const [first, ...rest] = step.messages as object[];
      return { ...step, messages: [{ ...first, text }, ...rest] };
    };
    const forged = await replaced((step) => {
      const { messages } = step as { messages: object[] };
      return resealed(step, { messages: [...messages, { role: "user", text: "made up" }] });
    });

    expect((await attempt(createMemoryStore(), opening(await replaced(speaking("still here"))))).said).toBe(
      "bundle/invalid-document",
    );
    expect((await verifyBundle(opening(forged))).replacedSteps).toEqual(["step:s:1"]);
  });

  it("takes no step's place in a store that has it", async () => {
    const { store } = await sample();
    const before = await told(store, "s");
    const on = await openOn({ store, files: new Files() }, "s");
    const forged = await replaced((step) => resealed(step, { layout: "made up" }));

    const { said } = await attempt(store, opening(forged));
    await on.close();

    expect(said).toBe("unchanged");
    expect(await told(store, "s")).toEqual(before);
  });
});
