// Verifies: SSOT 3.11, F16, T11: what an export reads and writes.
import { createMemoryStore, leaseId, type ObjectStore } from "@cm/object-model";
import { forkSession } from "@cm/session";
import { describe, expect, it } from "vitest";
import { exportBundle, limits, verifyBundle } from "../src/index.ts";
import { bundleOf, opening } from "./support/bytes.ts";
import { at } from "./support/files.ts";
import { linesIn } from "./support/lines.ts";
import { sample } from "./support/sample.ts";
import { openOn } from "./support/stage.ts";

describe("an export", () => {
  it("is the same whenever it is made, and says the same compressed", async () => {
    const { store, session, bytes } = await sample();

    const gzip = await bundleOf(store, session, { gzip: true });

    expect(await bundleOf(store, session)).toEqual(bytes);
    expect(gzip.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    expect(await verifyBundle(opening(gzip))).toEqual(await verifyBundle(opening(bytes)));
  });

  it("brings every version that a step saw, and none that only others saw", async () => {
    const made = await sample();
    made.files.write("/a.ts", "seen by another");
    const other = await openOn(made, "other");
    await other.receive([
      { role: "tool", callId: "x", text: "x", failed: false, files: [{ binding: at("/a.ts"), as: "read" }] },
    ]);
    await other.assemble();
    await other.close();

    const lines = linesIn(await bundleOf(made.store, made.session));

    const texts = lines.flatMap(({ document }) => (document?.type === "file" ? [document.content] : []));
    expect(texts.sort()).toEqual(["# b", "let a = 1;", "let a = 2;"]);
  });

  it("leaves the lease behind", async () => {
    const { store, bytes } = await sample();

    expect((await store.getMany([leaseId("s")])).size).toBe(1);
    expect(bytes.toString()).not.toContain("lease:");
  });

  it("is of one moment, also while the session goes on", async () => {
    const made = await sample();
    const open = await openOn(made, made.session);
    const before = await bundleOf(made.store, made.session);
    const busy: ObjectStore = {
      ...storeMethods(made.store),
      async find(filter, page) {
        const found = await made.store.find(filter, page);
        await open.assemble({ systemPrompt: "You are a newer test." });
        await open.record({ answer: { role: "assistant", text: "meanwhile" } });
        return found;
      },
    };

    const bytes = await bundleOf(busy, made.session);

    expect(bytes.equals(before)).toBe(true);
  });

  it("reads system prompts seldom where they do not change", async () => {
    const made = await sample();
    const open = await openOn(made, made.session);
    for (let step = 0; step < 60; step += 1) {
      await open.assemble(step === 30 ? { systemPrompt: "You are a third test." } : {});
      await open.record({ answer: { role: "assistant", text: `${step}` } });
    }
    let reads = 0;
    const watched: ObjectStore = {
      ...storeMethods(made.store),
      getMany(ids, asOf) {
        if (ids.includes("system_prompt:s")) reads += 1;
        return made.store.getMany(ids, asOf);
      },
    };

    const { counts } = await verifyBundle(opening(await bundleOf(watched, made.session)));

    expect(counts.system_prompt).toBe(3);
    expect(reads).toBeLessThan(25);
  });

  it("reads the steps that a fork continues in runs", async () => {
    const made = await sample();
    const open = await openOn(made, made.session);
    for (let step = 0; step < 60; step += 1) {
      await open.assemble();
      await open.record({ answer: { role: "assistant", text: `${step}` } });
    }
    const { session } = await forkSession(made.store, { session: "s", n: 50 }, { session: "fork" });
    let reads = 0;
    const watched: ObjectStore = {
      ...storeMethods(made.store),
      getMany(ids, asOf) {
        reads += 1;
        return made.store.getMany(ids, asOf);
      },
    };

    const lines = linesIn(await bundleOf(watched, session));

    expect(lines.filter(({ document }) => document?.type === "step")).toHaveLength(51);
    expect(reads).toBeLessThan(40);
  });

  it("reads a few objects at a time", async () => {
    const made = await sample();
    let most = 0;
    const watched: ObjectStore = {
      ...storeMethods(made.store),
      getMany(ids, asOf) {
        most = Math.max(most, ids.length);
        return made.store.getMany(ids, asOf);
      },
    };

    await bundleOf(watched, made.session);

    expect(most).toBeLessThanOrEqual(2 * limits.smallObjectsPerReadMax);
  });

  it("names the session that is not there", async () => {
    const missing = exportBundle(createMemoryStore(), "nobody").next();

    await expect(missing).rejects.toMatchObject({ code: "bundle/not-found", data: { session: "nobody" } });
  });

  it.each([
    ["its chat is missing", "chat:s"],
    ["its head is missing", "session:s"],
    ["a step is missing", "step:s:1"],
  ])("says so where %s", async (_what, lost) => {
    const { store, session } = await sample();
    const damaged: ObjectStore = {
      ...storeMethods(store),
      async getMany(ids, asOf) {
        const found = new Map(await store.getMany(ids, asOf));
        found.delete(lost);
        return found;
      },
    };

    await expect(bundleOf(damaged, session)).rejects.toMatchObject({ code: "bundle/damaged-session" });
    await expect(bundleOf(damaged, session, { gzip: true })).rejects.toMatchObject({ code: "bundle/damaged-session" });
  });

  it("marks what is erased between its two looks at it", async () => {
    const { store, session } = await sample();
    let looks = 0;
    const erasing: ObjectStore = {
      ...storeMethods(store),
      async getMany(ids, asOf) {
        const found = await store.getMany(ids, asOf);
        const file = [...found.values()].find(({ type }) => type === "file");
        looks += file === undefined ? 0 : 1;
        if (file !== undefined && looks === 1) await store.erase([file.id], "asked for");
        return found;
      },
    };

    const bytes = await bundleOf(erasing, session);

    expect((await verifyBundle(opening(bytes))).counts.erased).toBeGreaterThan(0);
    expect(bytes.toString()).not.toContain("let a = 1;");
  });

  it("ends where a reader would refuse it", async () => {
    const { store, session, bytes } = await sample();

    await expect(verifyBundle(opening(bytes), { bytesMax: bytes.length - 1 })).rejects.toMatchObject({
      code: "bundle/limit",
      data: { limit: "bundleBytesMax", bound: bytes.length - 1 },
    });
    expect((await verifyBundle(opening(bytes), { bytesMax: bytes.length })).bytes).toBe(bytes.length);
    expect(await bundleOf(store, session, { bytesMax: bytes.length })).toEqual(bytes);
    await expect(bundleOf(store, session, { bytesMax: bytes.length - 1 })).rejects.toMatchObject({
      code: "bundle/limit",
    });
  });

  it("refuses to shrink what no reader would expand", async () => {
    const { store, files, session } = await sample();
    const open = await openOn({ store, files }, session);
    await open.receive([{ role: "user", text: "a".repeat(3_000_000) }]);
    await open.assemble();
    await open.record({ answer: { role: "assistant", text: "" } });

    await expect(bundleOf(store, session, { gzip: true })).rejects.toMatchObject({ code: "bundle/limit" });
    expect((await verifyBundle(opening(await bundleOf(store, session)))).counts.step).toBe(5);
  });
});

function storeMethods(store: ObjectStore): ObjectStore {
  return {
    contract: "object-store/1",
    getMany: (ids, asOf) => store.getMany(ids, asOf),
    commit: (writes, options) => store.commit(writes, options),
    history: (id, page) => store.history(id, page),
    find: (filter, page) => store.find(filter, page),
    erase: (ids, reason) => store.erase(ids, reason),
  };
}
