// Verifies: SSOT 3.2, T20: the list shows what the session met, by what an object is and by its text, page by page.
import type { ContextPolicy, ListQuery } from "@cm/context-log";
import { CmError, createMemoryStore, type ObjectStore } from "@cm/object-model";
import { openSqliteStore } from "@cm/store-sqlite";
import type { Random } from "@cm/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { forkSession, openSession, type Session } from "../src/index.ts";
import { MapSource } from "./support/map-source.ts";
import { answering, call, result, runs, says, touch, user } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog } from "./support/renderers.ts";
import { forSeeds } from "./support/seeds.ts";
import { intercepted } from "./support/stores.ts";

const closing: (() => Promise<void> | undefined)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const stores: Readonly<Record<string, () => ObjectStore>> = {
  "a memory store": createMemoryStore,
  "a SQLite store": () => {
    const store = openSqliteStore({ path: ":memory:" });
    closing.push(async () => store.close?.());
    return store;
  },
  "a store without text search": () => withoutText(createMemoryStore()),
};

describe.each(Object.entries(stores))("a list over %s", (_name, createStore) => {
  it.each<readonly [ListQuery, string]>([
    [{}, "f1 f2 f3 t1 t2"],
    [{ kind: "file" }, "f1 f2 f3"],
    [{ kind: "toolcall" }, "t1 t2"],
    [{ level: "active" }, "f1 t1 t2"],
    [{ level: "inactive" }, "f2"],
    [{ level: "indexed" }, "f3"],
    [{ pinned: true }, "f1"],
    [{ pinned: false }, "f2 f3 t1 t2"],
    [{ path: "src" }, "f1 f3"],
    [{ path: "grep" }, "t2"],
    [{ fileType: "ts" }, "f1"],
    [{ fileType: "" }, "f3"],
    [{ tool: "bash" }, "t1 t2"],
    [{ tool: "read" }, ""],
    [{ text: "STRASSE" }, "f1 t1"],
    [{ text: "strasse", kind: "file" }, "f1"],
    [{ text: "strasse", kind: "toolcall" }, "t1"],
    [{ text: "matches" }, "t2"],
    [{ text: "of the other" }, ""],
    [{ text: "%" }, ""],
    [{ text: 'a" OR "b' }, ""],
    [{ text: "" }, "f1 f2 f3 t1 t2"],
  ])("with %j has %s", async (query, expected) => {
    const { session } = await worldIn(createStore());

    const { objects, next, foreign } = await session.list(query);

    expect(
      objects
        .map(({ alias }) => alias)
        .sort()
        .join(" "),
    ).toBe(expected);
    expect({ next, foreign }).toEqual({ next: undefined, foreign: undefined });
  });

  it("goes by the version in sight, whatever others have stored since", async () => {
    const { session, store, source } = await worldIn(createStore());
    source.files.set("/src/a.ts", "all is new");
    const other = await openIn(store, source, "later");
    await other.assemble();
    await other.record(runs(result("r", "all is new", { files: [touch("/src/a.ts", "read", { startLine: 1 })] })));

    expect((await session.list({ text: "strasse", kind: "file" })).objects.map(({ alias }) => alias)).toEqual(["f1"]);
    expect((await session.list({ text: "all is new" })).objects).toEqual([]);
  });
});

describe("a search", () => {
  it("finds the same in every kind of store, for random texts", async () => {
    await forSeeds({ short: 4, long: 200, file: "test/list.test.ts" }, async (random) => {
      const texts = Array.from({ length: 12 }, () => randomText(random));
      const pieces = Array.from({ length: 25 }, () => pieceOf(random, random.pick(texts)));
      const found = await Promise.all(
        Object.values(stores).map(async (createStore) => {
          const session = await openIn(createStore(), new MapSource(), "s");
          await session.assemble();
          await session.record(runs(...texts.map((text, n) => result(`call_${n}`, text))));
          const pages = [];
          for (const text of pieces) pages.push((await session.list({ text })).objects.map(({ alias }) => alias));
          return pages;
        }),
      );

      expect(found[1]).toEqual(found[0]);
      expect(found[2]).toEqual(found[0]);
      expect(found[0]?.every((aliases) => aliases.length > 0)).toBe(true);
    });
  });
});

describe("a session that continues another one", () => {
  it("finds the calls of both by their text", async () => {
    const { session, store, source } = await worldIn(createMemoryStore());
    await session.close();
    await forkSession(store, { session: "s", n: 2 }, { session: "branch" });
    const branch = await openIn(store, source, "branch");
    await branch.assemble();
    await branch.record(runs(result("call_9", "no matches here either")));

    const found = (await branch.list({ text: "no matches" })).objects.map(({ alias }) => alias);

    expect(found).toEqual(["t2", "t3"]);
  });
});

describe("a session that another program made a fork of before its first step", () => {
  it("finds by its text what came late to the session that it left", async () => {
    const { session, store, source } = await worldIn(createMemoryStore());
    await session.close();
    await forkSession(store, { session: "s", n: 2 }, { session: "branch" });
    const [branch, other] = [await openIn(store, source, "branch"), await openIn(store, source, "branch")];
    await branch.receive([result("call_2", "a late one")]);
    await other.assemble();
    await other.record(says("faster"));
    await branch.assemble();
    await branch.record(says("slower"));

    const found = (await branch.list({ text: "late one" })).objects.map(({ alias }) => alias);

    expect(branch.session).toMatch(/^branch~/);
    expect(found).toEqual(["t3"]);
  });
});

describe("a cursor", () => {
  it("leads through everything once, also while the session goes on", async () => {
    const { session } = await worldIn(createMemoryStore());
    const met: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 20; page += 1) {
      const { objects, next } = await session.list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      met.push(...objects.map(({ alias }) => alias));
      if (next === undefined) break;
      cursor = next;
      if (page < 3) {
        await session.assemble();
        await session.record(runs(result(`more ${page}`, "more")));
      }
    }

    expect(new Set(met).size).toBe(met.length);
    expect(met).toEqual((await session.objects()).map(({ alias }) => alias));
  });

  it("is there exactly when another object meets the query", async () => {
    const { session } = await worldIn(createMemoryStore());

    const first = await session.list({ kind: "file", limit: 2 });
    const second = await session.list({ kind: "file", limit: 2, cursor: first.next ?? "" });

    expect([first.objects.length, second.objects.length, second.next]).toEqual([2, 1, undefined]);
  });

  it("behind the end gives nothing", async () => {
    const { session } = await worldIn(createMemoryStore());

    expect(await session.list({ cursor: "1000" })).toEqual({ objects: [] });
  });
});

describe("a query that cannot be meant", () => {
  it.each([
    { limit: 0 },
    { limit: 1_001 },
    { limit: 1.5 },
    { cursor: "-1" },
    { cursor: "" },
    { cursor: "1e3" },
    { cursor: "__proto__" },
    { kind: "session" },
    { level: "hidden" },
    { pinned: "yes" },
    { text: "x".repeat(1_001) },
    { path: 7 },
  ])("is refused: %j", async (query) => {
    const { session } = await worldIn(createMemoryStore());

    await expect(session.list(query as ListQuery)).rejects.toMatchObject({ code: "session/invalid-input" });
  });

  it("is refused without repeating what it says", async () => {
    const { session } = await worldIn(createMemoryStore());

    await expect(session.list({ text: "canary".repeat(500) })).rejects.toThrow(/^(?!.*canary)/);
  });
});

describe("a store that misbehaves", () => {
  it("with ever more answers is given up, and memory is searched", async () => {
    const session = await afterLeaving({ ...intercepted(createMemoryStore(), {}), find: findsEver });

    expect((await session.list({ text: "strasse" })).objects.map(({ alias }) => alias)).toEqual(["t1", "t2"]);
  });

  it("and fails is not taken for one without text search", async () => {
    const failing = intercepted(createMemoryStore(), {
      before: (method) => {
        if (method === "find") throw new CmError("store/unavailable", "The store is away.");
      },
    });
    const session = await afterLeaving(failing);

    await expect(session.list({ text: "strasse" })).rejects.toMatchObject({ code: "store/unavailable" });
  });
});

/** A session that met three files and two calls, beside another one that met more. */
async function worldIn(store: ObjectStore) {
  const source = new MapSource();
  source.files.set("/src/a.ts", "One Strasse\n");
  source.files.set("/b.md", "two");
  source.files.set("/src/c", "three");
  source.files.set("/src/other.ts", "strasse of the other");
  const other = await openIn(store, source, "other");
  await other.assemble();
  await other.record(runs(result("x", "strasse of the other", { files: [touch("/src/other.ts", "read")] })));
  const session = await openIn(store, source, "s");
  await session.assemble();
  await session.record(
    runs(
      result("call_1", "1\tOne STRASSE", {
        files: [
          touch("/src/a.ts", "read", { startLine: 1 }),
          touch("/b.md", "discovered"),
          touch("/src/c", "discovered"),
        ],
      }),
    ),
  );
  await session.assemble();
  await session.record({
    answer: answering(call("call_2", "bash", { command: "grep" })),
    results: [result("call_2", "no matches")],
  });
  await session.command({ action: "pin", id: "f1" });
  await session.command({ action: "hide", id: "f3" });
  await session.assemble();
  await session.record(says("done"));
  return { session, store, source };
}

/** A session of which the first call left the prompt: only the store has its text. */
async function afterLeaving(store: ObjectStore): Promise<Session> {
  const policy: ContextPolicy = {
    ...quietPolicy,
    decide: ({ step }) => (step === 2 ? { omit: [[0, 3]] } : {}),
  };
  const session = await openSession({ store, layout: { policy, renderer: openLog }, session: "s" });
  for (const [n, text] of ["One Strasse", "another STRASSE", "none"].entries()) {
    await session.receive([user(`prompt ${n}`)]);
    await session.assemble();
    await session.record(runs(result(`call_${n}`, text)));
  }
  return session;
}

function openIn(store: ObjectStore, source: MapSource, session: string): Promise<Session> {
  return openSession({
    store,
    layout: { policy: quietPolicy, renderer: openLog },
    sources: [source],
    session,
    sweep: false,
  });
}

/** One full page after another, without end. */
const findsEver: ObjectStore["find"] = async (_filter, page) => {
  const from = Number(page?.cursor ?? 0);
  const at = {
    type: "toolcall",
    token: "",
    contentHash: "",
    basis: "",
    validTime: new Date(0),
    transactionTime: new Date(0),
  };
  const versions = Array.from({ length: page?.limit ?? 0 }, (_, n) => ({ ...at, id: `strange ${from + n}` }));
  return { versions, basis: "", next: `${from + versions.length}` };
};

function withoutText(store: ObjectStore): ObjectStore {
  return intercepted(store, {
    before: (method, [filter]) => {
      if (method === "find" && (filter as { text?: string }).text !== undefined)
        throw new CmError("store/unsupported", "This store does not search texts.");
    },
  });
}

const words = [
  "Strasse",
  "STRAẞE",
  "İstanbul",
  "ΣΊΣΥΦΟΣ",
  "a_b",
  "100%",
  "it's",
  '"x"',
  "(y OR z)",
  "-n",
  "\n",
  "\u0000",
  "日本語",
  "👩‍💻",
  "e\u0301",
  "*",
];

function randomText(random: Random): string {
  return Array.from({ length: 1 + random.below(6) }, () => random.pick(words)).join(random.pick([" ", "", "\t"]));
}

/** A piece of the text, in either case: it must be found. */
function pieceOf(random: Random, text: string): string {
  const lower = text.toLowerCase();
  const from = random.below(lower.length);
  return lower.slice(from, from + 1 + random.below(8));
}
