// Verifies: SSOT 5.6, 5.9, F10, F11: before each request, what is stored is what is there.
import { CmError, createMemoryStore, type ObjectStore, objectIdOf } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openSession, rebuildPrompts, type Session } from "../src/index.ts";
import { all } from "./support/all.ts";
import { at, MapSource } from "./support/map-source.ts";
import { answering, call, reads, result, runs, says, touch, user } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openSets, rendererFor } from "./support/renderers.ts";
import { intercepted } from "./support/stores.ts";

const idOf = (path: string) => objectIdOf({ type: "file", source: at(path) });

describe("the look before a request", () => {
  it("stores what changed since the file was read, and shows it in this request", async () => {
    const { session, files, store } = await start();
    await readAll(session, files, { "/a": "old" });
    files.files.set("/a", "new");

    const prompt = await session.assemble();

    expect(await textOf(store, "/a")).toBe("new");
    expect(JSON.stringify(prompt)).toContain("new");
    await session.record(says("seen"));
    const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));
    expect(rebuilt.filter(({ hash, recordedHash }) => hash !== recordedHash)).toEqual([]);
  });

  it("is made with a late result, too: the request that has the result has the file as it left that", async () => {
    const { session, files, store } = await start();
    await readAll(session, files, { "/a": "old" });
    await session.assemble();
    await session.record({ answer: answering(call("late")) });
    files.files.set("/a", "new");
    await session.receive([result("late", "edited", { files: [touch("/a", "edited")] })]);

    const prompt = await session.assemble();

    expect(prompt.messages.filter(({ text }) => text.startsWith("ACTIVE f1")).map(({ text }) => text)).toEqual([
      "ACTIVE f1 new",
    ]);
    await session.record(says("seen"));
    const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));
    expect(rebuilt.at(-1)?.prompt).toEqual(prompt);
    expect(rebuilt.filter(({ hash, recordedHash }) => hash !== recordedHash)).toEqual([]);
  });

  it("writes a deletion once, and finds the file again", async () => {
    const { session, files, store } = await start();
    await readAll(session, files, { "/a": "text" });
    files.files.delete("/a");
    for (const text of ["one", "two"]) {
      await session.assemble();
      await session.record(says(text));
    }
    const gone = await contentsOf(store, "/a");
    files.files.set("/a", "text");

    await session.assemble();

    expect(gone).toEqual([null, "text"]);
    expect(await contentsOf(store, "/a")).toEqual(["text", null, "text"]);
  });

  it("asks the store for nothing where nothing changed", async () => {
    const store = createMemoryStore();
    let calls = 0;
    const counted = intercepted(store, {
      before() {
        calls += 1;
      },
    });
    const { session, files } = await start(counted);
    await readAll(session, files, { "/a": "1", "/b": "2" });
    calls = 0;

    await session.assemble();

    expect(calls).toBe(0);
  });

  it("writes nothing for what went out of reach, and looks again next time", async () => {
    const { session, files, store } = await start();
    await readAll(session, files, { "/a": "old" });
    files.files.set("/a", "new");
    files.unreachable.add("/a");
    await session.assemble();
    await session.record(says("one"));
    const meanwhile = await contentsOf(store, "/a");
    files.unreachable.clear();

    await session.assemble();

    expect(meanwhile).toEqual(["old"]);
    expect(await contentsOf(store, "/a")).toEqual(["new", "old"]);
  });

  it("fails with the store, and the next try finds the same change", async () => {
    const { store, fail } = failingCommits();
    const { session, files } = await start(store);
    await readAll(session, files, { "/a": "old" });
    files.files.set("/a", "new");
    fail(true);
    const failed = await session.assemble().catch((error: unknown) => error);
    fail(false);

    await session.assemble();

    expect(failed).toMatchObject({ code: "store/unavailable" });
    expect(await textOf(store, "/a")).toBe("new");
  });

  it.each(["a sweep", "a step", "a late result"])(
    "shows another session's version, also where the store failed %s that met it",
    async (what) => {
      const { store, fail } = failingCommits();
      const { session, files } = await start(store);
      await readAll(session, files, { "/a": "old", "/b": "old" });
      await session.assemble();
      await session.record({ answer: answering(call("late")) });
      await session.assemble();
      files.files.set("/a", "of others");
      const other = await openWith(store, files, { session: "other" });
      await other.assemble();
      await other.record(reads("/a", "other"));
      fail(true);

      if (what === "a sweep") {
        files.files.set("/b", "new");
        await session.receive([user("go on")]);
        await expect(session.assemble()).rejects.toMatchObject({ code: "store/unavailable" });
      } else if (what === "a step") {
        await expect(session.record(reads("/a", "of a step"))).rejects.toMatchObject({ code: "store/unavailable" });
      } else {
        const late = result("late", "text", { files: [touch("/a", "read")] });
        await expect(session.receive([late])).rejects.toMatchObject({ code: "store/unavailable" });
      }
      fail(false);
      await session.receive([user("go on")]);

      expect(JSON.stringify(await session.assemble())).toContain("of others");
    },
  );

  it("sees in a new client what happened to the files between two scans", async () => {
    const { session, files, store } = await start();
    await readAll(session, files, { "/a": "old", "/b": "here" });
    await session.abandon();
    files.files.set("/a", "new");
    files.files.delete("/b");

    const resumed = await openWith(store, files);
    await resumed.assemble();

    expect([await textOf(store, "/a"), await textOf(store, "/b")]).toEqual(["new", null]);
  });

  it("writes to the object it knows, however its source spells the binding", async () => {
    const store = createMemoryStore();
    const files = Object.assign(new MapSource(), {
      parseBinding: (value: unknown) => ({ ...(value as ReturnType<typeof at>), filesystemId: "as the source has it" }),
    });
    const session = await openWith(store, files);
    await readAll(session, files, { "/a": "old" });
    files.files.set("/a", "new");

    await session.assemble();

    expect(await contentsOf(store, "/a")).toEqual(["new", "old"]);
  });

  it("passes over a file that its source no longer knows how to name", async () => {
    const { session, files, store } = await start();
    await readAll(session, files, { "/a": "old" });
    await session.abandon();
    const stricter = Object.assign(new MapSource(), {
      parseBinding(): never {
        throw new CmError("model/invalid-source", "The binding is wrong.");
      },
    });

    const resumed = await openWith(store, stricter);
    await resumed.assemble();
    await resumed.record(reads("/b", "x"));

    expect([await textOf(store, "/a"), await textOf(store, "/b")]).toEqual(["old", null]);
    expect(resumed.tracking().map(({ state }) => state)).toEqual(["unchecked", "orphaned"]);
  });

  it("is left out where the app says so", async () => {
    const { session, files, store } = await start(createMemoryStore(), { sweep: false });
    await readAll(session, files, { "/a": "old" });
    files.files.set("/a", "new");

    await session.assemble();

    expect(await textOf(store, "/a")).toBe("old");
  });
});

describe("a path that was only named in a listing", () => {
  it("becomes a stub where it exists, and is not read", async () => {
    const { session, files, store } = await start();
    files.files.set("/there", "text");
    await session.assemble();

    await session.record(
      runs(result("ls", "x", { files: [touch("/there", "discovered"), touch("/gone", "discovered")] })),
    );
    files.files.set("/there", "other");
    await session.assemble();

    expect(files.answers).toEqual(["exists", "absent"]);
    expect((await store.getMany([idOf("/there")])).get(idOf("/there"))?.document?.null_reason).toBe("unread");
    expect(await contentsOf(store, "/gone")).toEqual([]);
  });

  it("is read when the agent asks for it", async () => {
    const { session, files, store } = await start();
    files.files.set("/there", "text");
    await session.assemble();
    await session.record(runs(result("ls", "x", { files: [touch("/there", "discovered")] })));

    await session.command({ action: "activate", id: "f1" });

    expect(await textOf(store, "/there")).toBe("text");
    expect(JSON.stringify(await session.assemble())).toContain("text");
  });

  it("leaves alone what is stored of it, and joins the files that are looked at", async () => {
    const { session: other, files, store } = await start();
    await readAll(other, files, { "/a": "old" });
    const session = await openWith(store, files, { session: "second" });
    await session.assemble();
    files.files.set("/a", "new");

    await session.record(runs(result("ls", "x", { files: [touch("/a", "discovered")] })));
    const before = await textOf(store, "/a");
    await session.assemble();

    expect([before, await textOf(store, "/a")]).toEqual(["old", "new"]);
  });
});

describe("a file with the bytes of one that is gone", () => {
  it("is a file of its own, and the other one's deletion is found by the next look", async () => {
    const { session, files, store } = await start();
    await readAll(session, files, { "/old.ts": "text" });
    await session.assemble();
    files.files.delete("/old.ts");
    files.files.set("/new.ts", "text");
    await session.record(reads("/new.ts", "c"));

    await session.assemble();

    const versions = await store.getMany([idOf("/new.ts")]);
    expect(versions.get(idOf("/new.ts"))?.document).not.toHaveProperty("moved_from");
    expect(await contentsOf(store, "/old.ts")).toEqual([null, "text"]);
  });
});

/** A store whose commits fail while it is told so. */
function failingCommits() {
  let isDown = false;
  const store = intercepted(createMemoryStore(), {
    before(method) {
      if (isDown && method === "commit") throw new CmError("store/unavailable", "down");
    },
  });
  return {
    store,
    fail: (fails: boolean) => {
      isDown = fails;
    },
  };
}

async function start(store: ObjectStore = createMemoryStore(), options: { sweep?: boolean } = {}) {
  const files = new MapSource();
  return { session: await openWith(store, files, options), files, store };
}

function openWith(store: ObjectStore, files: MapSource, options: { sweep?: boolean; session?: string } = {}) {
  return openSession({
    store,
    layout: { policy: quietPolicy, renderer: openSets },
    sources: [files],
    session: "s",
    ...options,
  });
}

async function readAll(session: Session, files: MapSource, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(texts)) {
    files.files.set(path, text);
    await session.assemble();
    await session.record(reads(path, `read ${path}`));
  }
}

async function textOf(store: ObjectStore, path: string): Promise<string | null | undefined> {
  return (await store.getMany([idOf(path)])).get(idOf(path))?.document?.content;
}

/** Newest first. */
async function contentsOf(store: ObjectStore, path: string): Promise<readonly (string | null | undefined)[]> {
  const { versions } = await store.history(idOf(path), { documents: true });
  return versions.map(({ document }) => document?.content);
}
