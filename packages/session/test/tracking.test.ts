// Verifies: SSOT 5.8, 5.9: hints are looked into at once, and every client knows how far it follows each file.
import { CmError, createMemoryStore, type ObjectStore, objectIdOf } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openSession, type Session } from "../src/index.ts";
import { at, type MapSource } from "./support/map-source.ts";
import { reads, result, runs, says, touch } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openSets } from "./support/renderers.ts";
import { intercepted } from "./support/stores.ts";
import { TrackedMap } from "./support/tracked-map.ts";

const idOf = (path: string) => objectIdOf({ type: "file", source: at(path) });

describe("a session that tracks", () => {
  it("follows the files it could look at, each once, and no stub", async () => {
    const { session, files } = await start();
    files.files.set("/a", "text").set("/listed", "text");
    files.unreachable.add("/away");

    for (const id of ["one", "two"]) {
      await session.assemble();
      const touches = [touch("/a", "read"), touch("/listed", "discovered"), touch("/away", "read")];
      await session.record(runs(result(id, "x", { files: touches })));
    }

    expect(files.followed.map(({ binding }) => binding.path)).toEqual(["/a"]);
  });

  it("stores what a hint is about before the next request, and shows it in that", async () => {
    const { session, files, store } = await start();
    await read(session, files, "/a", "old");
    files.files.set("/a", "new");

    files.hint("/a");
    const stored = async () => (await store.getMany([idOf("/a")])).get(idOf("/a"))?.document?.content;
    await expect.poll(stored).toBe("new");

    const shown = (await session.objects()).find(({ kind }) => kind === "file")?.text;
    expect(shown).toBe("old");
    expect(JSON.stringify(await session.assemble())).toContain("new");
  });

  it("believes no hint: what is there decides", async () => {
    const { session, files, store } = await start();
    await read(session, files, "/a", "text");

    files.hint("/a");
    files.hint("/never-met");
    await session.assemble();

    expect((await store.history(idOf("/a"))).versions).toHaveLength(1);
    expect((await store.getMany([idOf("/never-met")])).size).toBe(0);
  });

  it.each([
    {
      fault: "a pause that fails",
      async during(session: Session, hint: () => void) {
        const paused = session.close();
        hint();
        await expect(paused).rejects.toMatchObject({ code: "store/unavailable" });
      },
    },
    {
      fault: "an erasure that cannot be finished",
      async during(session: Session, hint: () => void) {
        await expect(session.erase(["t1"], "a leaked key")).rejects.toMatchObject({ code: "store/unavailable" });
        hint();
        await expect(session.objects()).rejects.toMatchObject({ code: "store/unavailable" });
      },
    },
  ])("looks into hints again after one that came during $fault", async ({ during }) => {
    const healthy = createMemoryStore();
    let isDown = false;
    const store = intercepted(healthy, {
      before() {
        if (isDown) throw new CmError("store/unavailable", "The store is down.");
      },
    });
    const files = new TrackedMap();
    const session = await open(store, files);
    await read(session, files, "/a", "old");
    isDown = true;
    await during(session, () => files.hint("/a"));
    isDown = false;
    files.files.set("/a", "new");

    files.hint("/a");
    await session.objects();

    expect((await healthy.getMany([idOf("/a")])).get(idOf("/a"))?.document?.content).toBe("new");
  });

  it("ends its trackers when it is closed, and takes no hint after that", async () => {
    const { session, files, store } = await start();
    await read(session, files, "/a", "old");
    files.files.set("/a", "new");

    await session.abandon();
    files.hint("/a");

    expect(files.isClosed).toBe(true);
    expect((await store.history(idOf("/a"))).versions).toHaveLength(1);
  });
});

describe("the states of files", () => {
  it("are unchecked, attached, orphaned and resumed, as this client knows it", async () => {
    const { session, files, store } = await start();
    await read(session, files, "/a", "text");
    const attached = stateOf(session);
    files.files.delete("/a");
    await step(session);
    const orphaned = stateOf(session);
    files.files.set("/a", "text");
    await step(session);
    const resumed = stateOf(session);
    const other = await open(store, new TrackedMap(), "other");
    await other.assemble();
    await other.record(runs(result("ls", "x", { files: [touch("/a", "discovered")] })));

    expect([attached, orphaned, resumed]).toEqual([
      { id: idOf("/a"), state: "attached" },
      { id: idOf("/a"), state: "orphaned", reason: "gone" },
      { id: idOf("/a"), state: "resumed" },
    ]);
  });

  it("say why there is no watch", async () => {
    const { session, files } = await start();
    await read(session, files, "/a", "text");
    files.unreachable.add("/a");
    await step(session);
    const unplugged = stateOf(session);
    const untracked = await open(createMemoryStore(), files, "untracked", false);
    files.unreachable.clear();
    await read(untracked, files, "/a", "text");

    expect(unplugged).toMatchObject({ state: "orphaned", reason: "unplugged" });
    expect(stateOf(untracked)).toMatchObject({ state: "orphaned", reason: "no tracker" });
  });

  it("begin as unchecked for a stub, and leave no trace in objects", async () => {
    const { session, files, store } = await start();
    files.files.set("/a", "text");
    await session.assemble();

    await session.record(runs(result("ls", "x", { files: [touch("/a", "discovered")] })));

    const document = (await store.getMany([idOf("/a")])).get(idOf("/a"))?.document;
    expect(stateOf(session)).toEqual({ id: idOf("/a"), state: "unchecked" });
    expect(JSON.stringify(document)).not.toContain("unchecked");
  });
});

async function start() {
  const files = new TrackedMap();
  const store = createMemoryStore();
  return { files, store, session: await open(store, files) };
}

function open(store: ObjectStore, files: MapSource, session = "s", track = true): Promise<Session> {
  return openSession({ store, layout: { policy: quietPolicy, renderer: openSets }, sources: [files], session, track });
}

async function read(session: Session, files: MapSource, path: string, text: string): Promise<void> {
  files.files.set(path, text);
  await session.assemble();
  await session.record(reads(path, text));
}

async function step(session: Session): Promise<void> {
  await session.assemble();
  await session.record(says("on"));
}

function stateOf(session: Session) {
  return session.tracking()[0];
}
