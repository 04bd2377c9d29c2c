// Verifies: SSOT 3.2, 3.3, 3.10, T4: the pool has a budget, and what was used longest ago becomes indexed only.

import type { FileTouch, Layout, LeveledObject } from "@cm/context-log";
import { emptySets, entriesToDemote } from "@cm/context-log/state";
import { createMemoryStore, isDocumentOf, type ObjectStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { type OpenSessionOptions, openSession, type Session } from "../src/index.ts";
import { quietly } from "./support/layouts.ts";
import { MapSource } from "./support/map-source.ts";
import { result, runs, says, touch } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog, openSets } from "./support/renderers.ts";

describe("a pool over its budget", () => {
  it("loses the entries that were used longest ago", async () => {
    const session = await opened({ poolEntriesMax: 3 });

    await step(session, finds("/1", "/2", "/3", "/4"));

    // The call's output is in view; of the files, the two that were named last have room.
    expect(await levels(session)).toEqual({
      f1: "indexed",
      f2: "indexed",
      f3: "inactive",
      f4: "inactive",
      t1: "active",
    });
  });

  it("keeps what was used again", async () => {
    const session = await opened({ poolEntriesMax: 5, layout: folding });
    await step(session, finds("/1", "/2", "/3"));

    await step(session, finds("/1"));
    await step(session, finds("/4"));

    expect(await inPool(session)).toEqual(["f1", "f4", "t1", "t2", "t3"]);
  });

  it("keeps what is active, pinned or asked for, also where that alone is more", async () => {
    const session = await opened({ poolEntriesMax: 1 });
    await session.assemble();
    await session.record(finds("/1", "/2", "/3", "/4"));
    await session.command({ action: "pin", id: "f1" });
    await session.command({ action: "activate", id: "f2" });
    await session.command({ action: "show", id: "f3" });

    await step(session, says("done"));

    expect(await inPool(session)).toEqual(["f1", "f2", "t1"]);
  });

  it("takes what an object is unpinned from as used just now", async () => {
    const session = await opened({ poolEntriesMax: 3 });
    await session.assemble();
    await session.record(finds("/1", "/2"));
    await session.command({ action: "pin", id: "f1" });
    await step(session, says("pinned"));
    await session.command({ action: "unpin", id: "f1" });

    await step(session, finds("/3"));

    expect(await inPool(session)).toEqual(["f3", "t1", "t2"]);
    await session.command({ action: "show", id: "f1" });
    await step(session, says("more"));
    expect(await inPool(session)).toEqual(["f1", "t1", "t2"]);
  });

  it.each(["show", "pin", "activate"] as const)("gets an entry back by %s, under its alias", async (action) => {
    const session = await opened({ poolEntriesMax: 2 });
    await step(session, finds("/1", "/2"));

    const outcome = await session.command({ action, id: "f1" });
    await step(session, says("thanks"));

    expect(outcome).toMatchObject({ done: true, changed: true });
    expect(await inPool(session)).toContain("f1");
    expect((await session.list({ path: "/1" })).objects.map(({ alias }) => alias)).toEqual(["f1"]);
  });

  it("gets an entry back by a call that meets it", async () => {
    const session = await opened({ poolEntriesMax: 2 });
    await step(session, finds("/1", "/2"));

    await step(session, runs(result("read", "one", { files: [touch("/1", "read", { startLine: 1 })] })));

    expect((await levels(session)).f1).toBe("active");
  });

  it("says what it lost in the step", async () => {
    const store = createMemoryStore();
    const session = await opened({ store, poolEntriesMax: 3, layout: folding });
    await step(session, finds("/1", "/2"));
    const [f1, f2] = (await session.objects()).map(({ id }) => id).slice(1);

    await step(session, finds("/3", "/4"));

    expect((await changesOf(store, 1)).pool).toMatchObject({ removed: [f1, f2] });
    expect((await changesOf(store, 1)).index?.added).toHaveLength(3);
  });

  it("loses nothing under a layout that shows everything for good", async () => {
    const session = await opened({ layout: quietly(openSets), poolEntriesMax: 1 });

    await step(session, runs(result("a", "one"), result("b", "two")));

    expect(await inPool(session)).toEqual(["t1", "t2"]);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("is refused where the budget is %s", async (bad) => {
    await expect(opened({ poolEntriesMax: bad })).rejects.toMatchObject({ code: "session/invalid-input" });
  });
});

describe("two writers of one session", () => {
  it("keep the budget, each in its own session", async () => {
    const options = { store: createMemoryStore(), source: sourceOf(9), poolEntriesMax: 4, layout: folding };
    const [mine, theirs] = [await opened(options), await opened(options)];
    for (const n of [1, 2, 3, 4]) {
      await step(mine, finds(`/${n}`));
      await step(theirs, finds(`/${n + 4}`, "/9"));
    }

    for (const session of [mine, theirs]) {
      const { pool, active } = session.view().sets;
      expect(pool.size).toBeLessThanOrEqual(Math.max(4, active.size));
      expect(await inPool(await opened({ ...options, session: session.session }))).toEqual(await inPool(session));
    }
  });
});

describe("a session that is opened again", () => {
  it("loses the same entries next as the one that went on", async () => {
    const worlds = await Promise.all(
      [false, true].map(async (isReopened) => {
        const options = { store: createMemoryStore(), source: sourceOf(9), poolEntriesMax: 4, layout: folding };
        let session = await opened(options);
        const steps = [["/1", "/2", "/3"], ["/2"], ["/4"], ["/1"], ["/5", "/6"], ["/3"]];
        const seen: (readonly string[])[] = [];
        for (const paths of steps) {
          if (isReopened) session = await opened(options);
          await session.command({ action: "show", id: "f2" });
          await step(session, finds(...paths));
          seen.push(await inPool(session));
        }
        return seen;
      }),
    );

    expect(worlds[1]).toEqual(worlds[0]);
  });
});

describe("the choice of what is demoted", () => {
  it("looks at no more entries than the step used and loses", () => {
    const ids = Array.from({ length: 50_000 }, (_, place) => `f${place}`);
    const idle = new CountedSet(ids);
    const members = { ...emptySets(), pool: new Set(ids) };
    const touched = new Set(["f0", "f1", "f2"]);

    const demoted = entriesToDemote({ members, poolSize: 50_000, idle, touched, poolEntriesMax: 49_998 });

    expect(demoted).toEqual(["f3", "f4"]);
    expect(idle.looks).toBeLessThanOrEqual(6);
  });
});

/** Counts how many of its members are looked at one after the other. */
class CountedSet extends Set<string> {
  looks = 0;

  override *[Symbol.iterator](): SetIterator<string> {
    for (const member of this.values()) {
      this.looks += 1;
      yield member;
    }
    return undefined;
  }
}

/** Folds each result with the next request, so that it is idle. */
const folding: Layout = {
  renderer: openLog,
  policy: {
    contract: "policy/1",
    name: "folding",
    decide: (view) => ({
      forms: Object.fromEntries(
        view.log.flatMap(({ kind, at, step: since }) =>
          kind === "result" && since < view.step ? [[`${at}`, { form: "reference" as const }]] : [],
        ),
      ),
    }),
  },
};

interface Setting extends Partial<OpenSessionOptions> {
  readonly source?: MapSource;
}

function opened({ source = sourceOf(9), ...rest }: Setting): Promise<Session> {
  return openSession({
    store: createMemoryStore(),
    layout: { policy: quietPolicy, renderer: openLog },
    sources: [source],
    session: "s",
    now: () => 1,
    ...rest,
  });
}

function sourceOf(count: number): MapSource {
  const source = new MapSource();
  for (let n = 1; n <= count; n += 1) source.files.set(`/${n}`, `text of ${n}`);
  return source;
}

async function step(session: Session, record: Parameters<Session["record"]>[0]): Promise<void> {
  await session.assemble();
  await session.record(record);
}

let calls = 0;
/** A call that lists files, none of which it shows. */
function finds(...paths: readonly string[]) {
  calls += 1;
  return runs(result(`find ${calls}`, "found", { files: paths.map((path): FileTouch => touch(path, "discovered")) }));
}

async function levels(session: Session): Promise<Readonly<Record<string, LeveledObject["level"]>>> {
  return Object.fromEntries((await session.objects()).map(({ alias, level }) => [alias, level]));
}

async function inPool(session: Session): Promise<readonly string[]> {
  const all = Object.entries(await levels(session));
  return all.flatMap(([alias, level]) => (level === "indexed" ? [] : [alias])).sort();
}

async function changesOf(store: ObjectStore, n: number) {
  const document = (await store.getMany([`step:s:${n}`])).get(`step:s:${n}`)?.document;
  if (document === undefined || !isDocumentOf(document, "step")) throw new Error(`no step ${n}`);
  return document.changes;
}
