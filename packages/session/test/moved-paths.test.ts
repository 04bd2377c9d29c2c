// Verifies: SSOT 3.6, 4.1, 5.3: a session that is resumed under other mounts shows today's paths, and says so once.
import { movedPaths, pathsNow } from "@cm/context-log/state";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { type OpenSessionOptions, openSession, rebuildPrompts } from "../src/index.ts";
import { all } from "./support/all.ts";
import { bothStores } from "./support/both-stores.ts";
import { quietly } from "./support/layouts.ts";
import { MapSource } from "./support/map-source.ts";
import { reads, result, runs, says, touch } from "./support/messages.ts";
import { openLog, openSets, rendererFor } from "./support/renderers.ts";
import { forSeeds } from "./support/seeds.ts";

const shown = (was: string, now: string) => ({ id: was, was, now });

describe("the rows that say which paths changed", () => {
  it("name the folder that all of its files moved with", () => {
    const files = [shown("/A/proj/a.ts", "/B/proj/a.ts"), shown("/A/proj/src/b.ts", "/B/proj/src/b.ts")];

    expect(movedPaths(files)).toEqual([{ was: "/A/proj", now: "/B/proj" }]);
    expect(movedPaths([shown("/m.ts", "/ws/m.ts")])).toEqual([{ was: "/", now: "/ws" }]);
    expect(movedPaths([shown("/ws/m.ts", "/m.ts")])).toEqual([{ was: "/ws", now: "/" }]);
    expect(movedPaths([shown("/a", "/a")])).toEqual([]);
  });

  it("name no folder in which a file stayed, and a file whose name changed alone", () => {
    const stayed = shown("/A/gen/x", "/A/gen/x");

    expect(movedPaths([shown("/A/src/a", "/B/src/a"), shown("/A/b", "/B/b"), stayed])).toEqual([
      { was: "/A/src", now: "/B/src" },
      { was: "/A/b", now: "/B/b", file: "/A/b" },
    ]);
    expect(movedPaths([shown("/A/f.ts", "/mnt/g.ts")])).toEqual([
      { was: "/A/f.ts", now: "/mnt/g.ts", file: "/A/f.ts" },
    ]);
  });

  it("give every file its path of today, whatever moved where", async () => {
    await forSeeds({ short: 300, long: 20_000, file: "test/moved-paths.test.ts" }, async (random) => {
      const path = () =>
        `/${Array.from({ length: 1 + random.below(4) }, () => random.pick(["a", "b", "c"])).join("/")}`;
      const files = Array.from({ length: random.below(12) }, (_, n) => {
        const was = path();
        const now = random.chance(0.3) ? was : random.chance(0.7) ? `/new${was}` : path();
        return { id: `${n}`, was, now };
      });

      const pathOf = pathsNow(movedPaths(files));

      expect(files.map(({ id, was }) => pathOf(id, was))).toEqual(files.map(({ now }) => now));
    });
  });
});

describe.each(bothStores)("a session in $name that is resumed under other mounts", ({ open }) => {
  it.each([openLog, openSets])(
    "shows today's paths in $layout, for changed files and others alike",
    async (renderer) => {
      const world = await withFiles(open(), { layout: quietly(renderer) });
      world.files.displayRoot = "/ws/";
      world.files.files.set("/src/b", "new");

      const session = await world.reopen({ layout: quietly(renderer) });
      const prompt = await session.assemble();
      const { n } = await session.record(says("on"));

      const rows = [{ was: "/src", now: "/ws/src" }];
      expect((await session.objects()).flatMap(({ path }) => path ?? [])).toEqual([
        "/ws/src/a",
        "/ws/src/b",
        "/ws/src/c",
      ]);
      expect(session.opened.report).toMatchObject({ paths: rows, changed: [{ path: "/ws/src/b" }] });
      expect(toldIn(session)).toEqual([rows]);
      expect(await session.recall("/ws/src/a")).toMatchObject({ done: true, object: { alias: "f1" } });
      expect(prompt.messages.map(({ text }) => text).join("\n")).toContain("/ws/src/a");
      expect((await session.promptAt(n)).prompt).toEqual(prompt);
      const rebuilt = await all(rebuildPrompts(world.store, "s", rendererFor));
      expect(rebuilt.filter(({ hash, recordedHash, complete }) => hash !== recordedHash || !complete)).toEqual([]);
    },
  );

  it("tells it once, and takes it back with the mounts", async () => {
    const world = await withFiles(open());
    world.files.displayRoot = "/ws/";
    const first = await world.reopen();
    await first.assemble();
    await first.record(says("on"));
    await first.close();
    const again = await world.reopen();
    await again.assemble();
    await again.record(reads("/src/a", "a", "again"));
    await again.close();
    world.files.displayRoot = "/";

    const back = await world.reopen();
    await back.assemble();
    await back.record(says("on"));

    expect([toldIn(again).length, toldIn(back).at(-1)]).toEqual([1, [{ was: "/ws/src", now: "/src" }]]);
    expect((await back.objects()).flatMap(({ path }) => path ?? [])).toEqual(["/src/a", "/src/b", "/src/c"]);
    const rebuilt = await all(rebuildPrompts(world.store, "s", rendererFor));
    expect(rebuilt.filter(({ hash, recordedHash }) => hash !== recordedHash)).toEqual([]);
  });

  it("has them where the app tells nothing, or looks at nothing, or has no source any more", async () => {
    const world = await withFiles(open());
    world.files.displayRoot = "/ws/";

    const unplugged = await world.reopen({ sources: [] });
    const untold = await world.reopen({ tellResumed: false, sweep: false });
    await untold.assemble();
    const { n } = await untold.record(says("on"));

    const pathsIn = async (session: typeof untold) => (await session.objects()).flatMap(({ path }) => path ?? []);
    expect(await pathsIn(unplugged)).toEqual(["/src/a", "/src/b", "/src/c"]);
    expect(await pathsIn(untold)).toEqual(["/ws/src/a", "/ws/src/b", "/ws/src/c"]);
    expect(toldIn(untold)).toEqual([]);
    const { hash, recordedHash } = await untold.promptAt(n);
    expect(hash).toBe(recordedHash);
    await untold.close();
    expect(toldIn(await world.reopen())).toEqual([]);
  });
});

function toldIn(session: Awaited<ReturnType<typeof openSession>>) {
  return session
    .view()
    .log.flatMap((entry) => (entry.kind === "resumed" && entry.paths !== undefined ? [entry.paths] : []));
}

/** A session that read two files and listed a third. */
async function withFiles(store: ObjectStore = createMemoryStore(), options: Partial<OpenSessionOptions> = {}) {
  const files = new MapSource();
  files.files.set("/src/a", "a").set("/src/b", "b").set("/src/c", "c");
  const base = { store, rendererFor, session: "s", layout: quietly(openLog), sources: [files], now: () => 1 };
  const reopen = (more: Partial<OpenSessionOptions> = {}) =>
    openSession({ ...base, ...options, ...more } as OpenSessionOptions);
  const session = await reopen();
  for (const record of [
    reads("/src/a", "a"),
    reads("/src/b", "b"),
    runs(result("ls", "c", { files: [touch("/src/c", "discovered")] })),
  ]) {
    await session.assemble();
    await session.record(record);
  }
  await session.close();
  return { store, files, reopen };
}
