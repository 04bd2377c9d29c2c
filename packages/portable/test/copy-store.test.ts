// @module-tag process
// @module-tag long
// Verifies: SSOT 2.8, 3.11, F13: a whole store in another kind of store, with both times, and every past prompt byte for byte.

import { coreDocumentTypes, createMemoryStore, everyVersion, type ObjectStore, systemPromptId } from "@cm/object-model";
import { withPostgres } from "@cm/private-postgres/vitest";
import { eraseObjects, listSessions } from "@cm/session";
import { openPostgresStore } from "@cm/store-postgres";
import { openSqliteStore } from "@cm/store-sqlite";
import { createRandom, forSeeds } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { copyStore } from "../src/index.ts";
import { playSession } from "./support/random-session.ts";
import { sample } from "./support/sample.ts";
import { told } from "./support/told.ts";

const file = "test/copy-store.test.ts";

interface Setting {
  readonly now?: () => number;
}

/** A store whose end does nothing, so that it can be looked at afterwards. */
function kept(store: ObjectStore): ObjectStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === "close") return async () => {};
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Every version with both times, each list in its order, and every past prompt of every session. */
async function everything(store: ObjectStore): Promise<unknown> {
  const versions: unknown[] = [];
  for (const { type } of coreDocumentTypes) {
    for await (const { id } of everyVersion((page) => store.find({ type }, page))) {
      for await (const version of everyVersion((page) => store.history(id, { ...page, documents: true }))) {
        const { token: _token, basis: _basis, ...rest } = version;
        versions.push(rest);
      }
    }
  }
  const prompts = [];
  for await (const { session } of listSessions(store)) prompts.push([session, await told(store, session)]);
  return { versions, prompts };
}

async function copied(from: ObjectStore, open: (setting: Setting) => ObjectStore | Promise<ObjectStore>) {
  let to: ObjectStore | undefined;
  const receipt = await copyStore(from, async (setting) => {
    to = await open(setting);
    return kept(to);
  });
  if (to === undefined) throw new TypeError("the copy opens a store");
  return { to, receipt };
}

function clockOf(startMs: number, step: () => number): () => number {
  let time = startMs;
  return () => {
    time += step();
    return time;
  };
}

const memory = (setting: Setting = {}): ObjectStore => createMemoryStore(setting);
const sqlite = (setting: Setting = {}): ObjectStore => openSqliteStore({ ...setting, path: ":memory:" });

describe("a whole store", () => {
  it("is the same in another one, versions, times and past prompts", async () => {
    await forSeeds({ short: 12, long: 1_000, file }, async (random) => {
      // Few milliseconds for many transactions: the order must come from the store.
      const now = clockOf(1_000, () => (random.chance(0.4) ? 1 : 0));
      const from = random.pick([memory, sqlite])({ now });
      await playSession(from, random);

      const { to, receipt } = await copied(from, random.pick([memory, sqlite]));

      expect(await everything(to)).toEqual(await everything(from));
      expect(receipt.versions).toBeGreaterThan(0);
      await Promise.all([from.close?.(), to.close?.()]);
    });
  });

  it("is gone on with after an interruption, and nothing is there twice", async () => {
    const from = memory();
    await playSession(from, createRandom(3), 8);
    let clock = () => 0;
    const to = memory({ now: () => clock() });
    const open = (breaksAfter: number) => (setting: { readonly now: () => number }) => {
      clock = setting.now;
      let commits = 0;
      return new Proxy(kept(to), {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (name !== "commit" || typeof value !== "function") return value;
          commits += 1;
          if (commits > breaksAfter) throw new Error("the power went");
          return value;
        },
      });
    };
    await expect(copyStore(from, open(5))).rejects.toThrow("the power went");

    await expect(copyStore(from, open(99_999))).rejects.toMatchObject({ code: "copy/not-empty" });
    await copyStore(from, open(99_999), { resume: true });

    expect(await everything(to)).toEqual(await everything(from));
  });

  it("is not taken for a copy where the other one has more or something else", async () => {
    const [from, to] = [memory(), memory()];
    await playSession(from, createRandom(3), 3);
    await playSession(to, createRandom(4), 3);

    await expect(copyStore(from, () => to, { resume: true })).rejects.toMatchObject({ code: "copy/differs" });
  });

  it.each([
    ["a tool call", "s-1"],
    ["its system prompt", systemPromptId("s")],
  ])("says of its sessions what it said, with %s erased", async (_what, id) => {
    const { store, session } = await sample();
    await store.erase([id], "asked for");

    const { to } = await copied(store, sqlite);

    expect(await told(to, session)).toEqual(await told(store, session));
  });

  it("has a step whose text was erased where it was", async () => {
    const { store, session } = await sample();
    await eraseObjects(store, [`step:${session}:1`], "asked for");

    const { to } = await copied(store, sqlite);

    expect(await told(to, session)).toEqual(await told(store, session));
  });

  it("of which something was erased is copied without it, and says how much stayed behind", async () => {
    const from = memory();
    await playSession(from, createRandom(5), 8);
    const { versions } = await from.find({ type: "toolcall" });
    const id = versions[0]?.id ?? "";
    const lost = await from.erase([id], "leaked");

    const { to, receipt } = await copied(from, sqlite);

    expect(receipt.erased).toBeGreaterThanOrEqual(lost.erased.length);
    expect((await to.getMany([id])).get(id)).toMatchObject({ erased: { reason: "leaked", at: lost.at } });
  });
});

withPostgres("a whole store by way of Postgres", (postgres) => {
  let schemas = 0;

  it("comes back to SQLite as it was, every past prompt byte for byte", async () => {
    await forSeeds({ short: 4, long: 300, file }, async (random) => {
      const now = clockOf(Date.UTC(2026, 0, 1), () => random.below(2));
      const first = sqlite({ now });
      await playSession(first, random);
      schemas += 1;
      const schema = `copy_${schemas}`;

      const there = await copied(first, (setting) =>
        openPostgresStore({ ...setting, url: postgres.url, schema, connections: 1 }),
      );
      const back = await copied(there.to, sqlite);

      const original = await everything(first);
      expect(await everything(there.to)).toEqual(original);
      expect(await everything(back.to)).toEqual(original);
      await Promise.all([first.close?.(), there.to.close?.(), back.to.close?.()]);
    });
  });
});
