// Verifies: SSOT 3.11, 3.7, F1, T5, T7, T11, T20: what an import does to a store that has something already.
import { createMemoryStore, leaseId, type ObjectStore, sealDocument, sessionObjectId } from "@cm/object-model";
import { forkSession } from "@cm/session";
import { describe, expect, it } from "vitest";
import { type ImportProgress, importBundle } from "../src/index.ts";
import { bundleOf, opening } from "./support/bytes.ts";
import { everythingIn } from "./support/everything.ts";
import { at, Files } from "./support/files.ts";
import { attempt, counting } from "./support/refusal.ts";
import { type Sample, sample, tickingStore } from "./support/sample.ts";
import { openOn } from "./support/stage.ts";
import { told } from "./support/told.ts";

/** One more step, which reads a file. */
async function goOn({ store, files, session }: Omit<Sample, "bytes">, text = "on"): Promise<void> {
  const open = await openOn({ store, files }, session);
  await open.assemble();
  const callId = `${session} ${text}`;
  await open.record({
    answer: { role: "assistant", text, calls: [{ callId, tool: "read", args: {} }] },
    results: [{ role: "tool", callId, text, failed: false, files: [{ binding: at("/a.ts"), as: "read" }] }],
  });
  await open.close();
}

async function importInto(store: ObjectStore, bytes: Buffer) {
  return importBundle(store, opening(bytes));
}

describe("a store that has the session already", () => {
  it("takes what a newer export has more, also where it was paused with something taken in", async () => {
    const made = await sample();
    const store = createMemoryStore();
    await importInto(store, made.bytes);
    made.files.write("/a.ts", "let a = 3;");
    await goOn(made, "second");

    const receipt = await importInto(store, await bundleOf(made.store, made.session));

    expect(receipt.outcome).toBe("extended");
    expect(await told(store, made.session)).toEqual(await told(made.store, made.session));
    expect((await everythingIn(store, made.session)).get("step:s:0")).toHaveLength(1);
  });

  it("adds nothing from an export that it has, or an older one", async () => {
    const made = await sample();
    await goOn(made);
    const bytes = await bundleOf(made.store, made.session);
    const target = counting(createMemoryStore());
    await importInto(target.store, bytes);
    const commits = target.commits();

    const receipts = [await importInto(target.store, bytes), await importInto(target.store, made.bytes)];

    expect(receipts.map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged"]);
    expect(target.commits()).toBe(commits);
  });

  it("refuses one that went another way", async () => {
    const made = await sample();
    const store = createMemoryStore();
    await importInto(store, made.bytes);
    await goOn({ ...made, store }, "here");
    await goOn(made, "there");
    const before = await everythingIn(store, "s");

    const { said } = await attempt(store, opening(await bundleOf(made.store, made.session)));

    expect(said).toBe("bundle/diverged");
    expect(await everythingIn(store, "s")).toEqual(before);
  });

  it("keeps messages that it took in and that no step has", async () => {
    const made = await sample();
    await goOn(made, "first");
    const store = createMemoryStore();
    await importInto(store, await bundleOf(made.store, made.session));
    const here = await openOn({ ...made, store }, made.session);
    await here.receive([{ role: "user", text: "for this machine only" }]);
    await here.close();
    await goOn(made, "second");

    const { said } = await attempt(store, opening(await bundleOf(made.store, made.session)));

    expect(said).toBe("bundle/diverged");
  });

  it("waits for a client that is writing it", async () => {
    const made = await sample();
    await goOn(made, "first");
    const store = createMemoryStore();
    await importInto(store, await bundleOf(made.store, made.session));
    await goOn(made, "second");
    const held = { content: null, session_ref: sessionObjectId("s"), owner: "x", acquired_at: 0, expires_at: 9e15 };
    await store.commit([{ document: sealDocument({ type: "lease", id: leaseId("s") }, held), expect: "any" }]);

    const { said } = await attempt(store, opening(await bundleOf(made.store, made.session)));

    expect(said).toBe("bundle/in-use");
  });
});

describe("a store that has the same files", () => {
  it("keeps a newer version newest, and gets the older ones before it", async () => {
    const made = await sample();
    const store = tickingStore(Date.UTC(2025, 0, 1));
    const other = { store, session: "other", files: new Files(new Map([["/a.ts", "newer"]])) };
    await goOn(other);

    await importInto(store, made.bytes);

    const file = sealDocument({ type: "file", source: at("/a.ts") }, { content: "", file_type: "ts", char_count: 0 });
    const id = file["xt/id"];
    const { versions } = await store.history(id, { documents: true });
    expect((await store.getMany([id])).get(id)?.document?.content).toBe("newer");
    expect(versions.map(({ document }) => document?.content)).toEqual(["newer", "let a = 2;", "let a = 1;"]);
  });

  it("adds no version that it has", async () => {
    const made = await sample();
    const store = createMemoryStore();
    await importInto(store, made.bytes);
    const before = await everythingIn(store);
    const { session } = await forkSession(made.store, { session: "s", n: 3 }, { session: "fork" });

    await importInto(store, await bundleOf(made.store, session));

    expect(await everythingIn(store)).toEqual(before);
  });

  it("takes a version from the future as one of now", async () => {
    const made = await sample(tickingStore(Date.UTC(2090, 0, 1)));
    const store = tickingStore(Date.UTC(2025, 0, 1));

    await importBundle(store, opening(made.bytes), { now: () => Date.UTC(2025, 0, 1) });

    expect(await told(store, made.session)).toEqual(await told(made.store, made.session));
    const open = await openOn({ ...made, store }, made.session);
    expect(open.chat().turns).toHaveLength(5);
  });
});

describe("a store that erased some of it", () => {
  it("keeps what only the other one erased", async () => {
    const made = await sample();
    const store = createMemoryStore();
    await importInto(store, made.bytes);
    await made.store.erase(["s-0"], "asked for there");
    await goOn(made);

    const { outcome } = await importInto(store, await bundleOf(made.store, made.session));

    expect(outcome).toBe("extended");
    expect((await store.getMany(["s-0"])).get("s-0")?.document?.content).toBe("text 0");
  });

  it("does not get back what it erased", async () => {
    const made = await sample();
    const store = createMemoryStore();
    await importInto(store, made.bytes);
    await store.erase(["s-0"], "asked for");
    await goOn(made);

    const { outcome } = await importInto(store, await bundleOf(made.store, made.session));

    expect(outcome).toBe("extended");
    expect((await store.getMany(["s-0"])).get("s-0")?.erased?.reason).toBe("asked for");
  });

  it("is told when the heads were what it erased", async () => {
    const made = await sample();
    const store = createMemoryStore();
    await importInto(store, made.bytes);
    await store.erase(["session:s", "chat:s"], "asked for");

    expect(await attempt(store, opening(made.bytes))).toMatchObject({ said: "bundle/conflict" });
  });
});

describe("a store with other sessions", () => {
  it("refuses a call under an id that another call has, and names it", async () => {
    const { store } = await sample();
    const target = counting(store);
    const strange = { store: tickingStore(), files: new Files() };
    const open = await openOn(strange, "t");
    await open.assemble();
    await open.record({
      answer: { role: "assistant", text: "", calls: [{ callId: "s-0", tool: "bash", args: {} }] },
      results: [{ role: "tool", callId: "s-0", text: "other", failed: false }],
    });

    const refused = importInto(target.store, await bundleOf(strange.store, "t"));

    await expect(refused).rejects.toMatchObject({ code: "bundle/conflict", data: { ids: ["s-0"] } });
    expect(target.commits()).toBe(0);
  });

  it("shows none of their calls to a session that says its own were erased", async () => {
    const { store: victims } = await sample();
    const stage = { store: tickingStore(), files: new Files() };
    const open = await openOn(stage, "t");
    await open.assemble();
    await open.record({
      answer: { role: "assistant", text: "", calls: [{ callId: "s-0", tool: "bash", args: {} }] },
      results: [{ role: "tool", callId: "s-0", text: "mine", failed: false }],
    });
    await stage.store.erase(["s-0"], "so that a mark stands there");
    const target = counting(victims);

    const refused = importInto(target.store, await bundleOf(stage.store, "t"));

    await expect(refused).rejects.toMatchObject({ code: "bundle/conflict", data: { ids: ["s-0"] } });
    expect(target.commits()).toBe(0);
  });

  it("brings a fork with the steps that it continues, and later the session they belong to", async () => {
    const made = await sample();
    const { session } = await forkSession(made.store, { session: "s", n: 1 }, { session: "fork" });
    await goOn({ ...made, session });
    const store = createMemoryStore();

    await importInto(store, await bundleOf(made.store, session));
    expect(await told(store, session)).toEqual(await told(made.store, session));
    const { outcome } = await importInto(store, made.bytes);

    expect(outcome).toBe("imported");
    expect(await told(store, "s")).toEqual(await told(made.store, "s"));
    expect(await told(store, session)).toEqual(await told(made.store, session));
  });

  it("writes no step of a session that goes on there by itself", async () => {
    const made = await sample();
    const store = createMemoryStore();
    await importInto(store, made.bytes);
    await goOn(made, "there");
    const { session } = await forkSession(made.store, { session: "s", n: 4 }, { session: "fork" });
    const before = await everythingIn(store, "s", "fork");

    const { said } = await attempt(store, opening(await bundleOf(made.store, session)));

    expect(said).toBe("bundle/conflict");
    expect(await everythingIn(store, "s", "fork")).toEqual(before);
  });
});

describe("an import", () => {
  it("stops where another client takes an id meanwhile, and leaves that client's session as it is", async () => {
    const { bytes, files } = await sample();
    const store = createMemoryStore();
    let commits = 0;
    const concurrentWriteError: ObjectStore = {
      ...counting(store).store,
      async commit(writes, options) {
        commits += 1;
        if (commits === 1) await openOn({ store, files }, "s").then((open) => open.close());
        return store.commit(writes, options);
      },
    };

    const { said } = await attempt(concurrentWriteError, opening(bytes));

    expect(said).toBe("bundle/conflict");
    expect((await openOn({ store, files }, "s")).chat().turns).toEqual([]);
    expect(await attempt(store, opening(bytes))).toMatchObject({ said: "extended" });
  });

  it("tells how far it is", async () => {
    const { bytes } = await sample();
    const told: ImportProgress[] = [];

    await importBundle(createMemoryStore(), opening(bytes), { onProgress: (progress) => told.push(progress) });

    const lines = bytes.toString().trimEnd().split("\n").length;
    expect(told.filter(({ phase }) => phase === "verifying").map(({ done }) => done)).toHaveLength(lines);
    expect(told.filter(({ phase }) => phase === "comparing")).toEqual([{ phase: "comparing", done: 0, total: lines }]);
    expect(told.at(-1)).toEqual({ phase: "writing", done: lines, total: lines });
  });
});

describe("an input that changes or fails", () => {
  it("is found out when it becomes another bundle between its two readings", async () => {
    const [made, other] = [await sample(), await sample(tickingStore(), "t")];
    let opened = 0;
    const store = createMemoryStore();

    const refused = importBundle(store, () => {
      opened += 1;
      return opening(opened === 1 ? made.bytes : other.bytes)();
    });

    await expect(refused).rejects.toMatchObject({ code: "bundle/changed", data: { line: 1 } });
    expect((await everythingIn(store, "s", "t")).size).toBe(0);
  });

  it("is found out when it ends earlier the second time", async () => {
    const { bytes } = await sample();
    const shorter = bytes.subarray(0, bytes.indexOf("\n", 5_000) + 1);
    let opened = 0;
    const target = counting(createMemoryStore());

    const refused = importBundle(target.store, () => {
      opened += 1;
      return opening(opened === 1 ? bytes : shorter)();
    });

    await expect(refused).rejects.toMatchObject({ code: "bundle/changed" });
    expect((await target.store.getMany([sessionObjectId("s")])).size).toBe(0);
  });

  it.each([false, true])("fails with its own error, compressed: %s", async (gzip) => {
    const { store, session } = await sample();
    const bytes = await bundleOf(store, session, { gzip });
    const fault = new Error("The disk is gone.");

    const failed = importBundle(createMemoryStore(), async function* () {
      yield bytes.subarray(0, 700);
      throw fault;
    });

    await expect(failed).rejects.toBe(fault);
  });
});
