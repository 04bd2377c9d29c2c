// @module-tag long
// Verifies: SSOT 1.4, 2.4, 2.8, F13: a verification names every damaged document, and nothing in a sound store.
import {
  attachmentId,
  CmError,
  coreDocumentTypes,
  createMemoryStore,
  type ListedVersion,
  type ObjectStore,
  objectIdOf,
  payloadOf,
  sealDocument,
  sha256,
} from "@cm/object-model";
import { createRandom } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { forkSession, openSession } from "../src/index.ts";
import { type Finding, isDamage, type Problem, verifyStore } from "../src/verify.ts";
import { all } from "./support/all.ts";
import { damagedStore, keyOf, versionsOf, withOneChange } from "./support/damaged-store.ts";
import { at, MapSource } from "./support/map-source.ts";
import { reads, result, runs, says, user } from "./support/messages.ts";
import { Play } from "./support/play.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog, openSets } from "./support/renderers.ts";
import { randomScript } from "./support/script.ts";
import { forSeeds } from "./support/seeds.ts";
import { intercepted } from "./support/stores.ts";

const file = "test/verify.test.ts";
const isCampaign = process.env.CM_CAMPAIGN === "1";
const [sessions, changed] = isCampaign ? [14, 1_000] : [5, 300];

describe.each([openLog, openSets])("a store with random sessions under $layout", (renderer) => {
  it("has no findings, forks and several writers included", async () => {
    await forSeeds({ short: 3, long: 1_000, file }, async (random, seed) => {
      const store = createMemoryStore();
      const play = await Play.open({ store, renderer, seed });
      const other = await Play.open({ store, renderer, seed: seed + 1, source: play.source });
      for (const action of randomScript(random, 2 + random.below(12))) await random.pick([play, other]).do(action);
      // Of two writers one goes on in a fork, whose steps may have numbers that the session does not.
      const { session, n } = random.pick([...play.steps, ...other.steps]);
      await forkSession(store, { session, n }, { session: "fork" });
      const fork = await Play.goOn({ store, renderer, seed, session: "fork", source: play.source });
      for (const action of randomScript(random, 1 + random.below(6))) await fork.do(action);

      expect(await all(verifyStore(store))).toEqual([]);
    });
  });
});

describe("a store in which one field of each of many documents was changed", () => {
  it("has a finding for each of them", async () => {
    await forSeeds({ short: 1, long: 30, file }, async (random, seed) => {
      const store = await storeOfSessions(seed, sessions);
      const sound = await versionsOf(store, coreDocumentTypes);
      const chosen = new Map(sound.map((version) => [version.id, version]));
      const changes = [...chosen.values()].slice(0, changed).map((version) => {
        if (version.document === undefined) throw new Error("erased");
        return { version, ...withOneChange(version.document, random) };
      });
      const damaged = new Map(changes.map(({ version, document }) => [keyOf(version), document]));

      const findings = await all(verifyStore(damagedStore(store, damaged)));

      // By its own hashes: that others do not fit to it would be no proof.
      const named = new Set(findings.filter(({ problem }) => byItself.includes(problem)).map(({ id }) => id));
      const missed = changes.filter(({ version }) => !named.has(version.id));
      expect(changes).toHaveLength(changed);
      expect(missed.map(({ version, field }) => `${version.id} ${field}`)).toEqual([]);
    });
  });
});

const byItself: readonly Problem[] = ["invalid", "stamp", "attachment"];

describe("a verification", () => {
  it.each<{ readonly what: string; readonly of: (store: ObjectStore) => Promise<ObjectStore>; readonly says: string }>([
    {
      what: "a tool call that is gone",
      of: async (store) => without(store, "c1"),
      says: "step:s:1 missing: c1 is not there",
    },
    {
      what: "a time that is none",
      of: async (store) => withoutTime(store, "c1"),
      says: "c1 stamp: the store's time is another one",
    },
    {
      what: "a file version that is gone",
      of: async (store) => without(store, fileId),
      says: `step:s:0 missing: the named version of ${fileId} is not there`,
    },
    {
      what: "a step that is gone",
      of: async (store) => without(store, "step:s:1"),
      says: "session:s missing: step 1 is not there",
    },
    {
      what: "a parent that is gone",
      of: async (store) => without(store, "step:s:1"),
      says: "step:s:2 missing: step:s:1 is not there",
    },
    {
      what: "a path that cannot be followed",
      of: async (store) => without(store, "step:s:1"),
      says: "session:s path: session/damaged",
    },
    {
      what: "an attachment that is gone",
      of: async (store) => without(store, attachment),
      says: `step:s:0 missing: ${attachment} is not there`,
    },
    {
      what: "bytes that are not those of the id",
      of: (store) => rewritten(store, attachment, { content: "AAAA" }),
      says: `${attachment} attachment: the bytes`,
    },
    {
      what: "a keyframe with other sets",
      of: (store) => rewritten(store, "keyframe:s:1", { pool: [], pinned: ["c1"] }),
      says: "keyframe:s:1 keyframe: not the sets that the steps make: pool, pinned",
    },
    {
      what: "a head that counts wrongly",
      of: (store) => rewritten(store, "session:s", { pool_count: 7 }),
      says: "session:s head: not what the steps make: pool_count",
    },
    {
      what: "a head with another chain",
      of: (store) => rewritten(store, "session:s", { chain: "0".repeat(64) }),
      says: "session:s head: not what the steps make: chain",
    },
    {
      what: "a chat that counts wrongly",
      of: (store) => rewritten(store, "chat:s", { turn_count: 1, step_count: 1, toolcall_count: 1 }),
      says: "chat:s head: not what the steps make: step_count, turn_count, toolcall_count",
    },
    {
      what: "a chat with another head",
      of: (store) => rewritten(store, "chat:s", { head: { session: "s", n: 0 } }),
      says: "chat:s head: not what the steps make: head",
    },
    {
      what: "a step beyond the head",
      of: (store) => rewritten(store, "session:s", { next_step: 2 }),
      says: "session:s head: step 2 is beyond the head",
    },
    {
      what: "a step that follows itself",
      of: (store) => rewritten(store, "step:s:1", { parent: { session: "s", n: 1 } }),
      says: "session:s path: session/damaged",
    },
    {
      what: "a stamp of another version",
      of: async (store) => stamped(store, "c1", { contentHash: "0".repeat(64) }),
      says: "c1 stamp: the store's content hash is another one",
    },
    {
      what: "an object that the list of its type does not have",
      of: async (store) => unlisted(store, "c1"),
      says: "c1 store: the list of its type does not have it",
    },
    {
      what: "an object of which no version holds",
      of: async (store) => withoutOneNow(unlisted(store, "c1"), "c1"),
      says: "c1 store: its newest version does not hold",
    },
    {
      what: "a document that cannot be read",
      of: async (store) => unreadable(store, "c1"),
      says: "c1 unreadable: The document c1 is torn",
    },
  ])("names $what", async ({ of, says }) => {
    const store = await of(await smallStore());

    const findings = await all(verifyStore(store));

    expect(findings.map(lineOf).filter((line) => line.startsWith(says))).toHaveLength(1);
    expect(findings.every(isDamage)).toBe(true);
  });

  it("tells what was erased, and takes it for no damage", async () => {
    const store = await smallStore();
    await store.erase(["c1", "step:s:0"], "a leaked key");

    const findings = await all(verifyStore(store));

    const lines = findings.map(({ id, problem }) => `${id} ${problem}`);
    expect(lines.sort()).toEqual([`${attachment} erased`, "c1 erased", "step:s:0 erased"]);
    expect(findings.some(isDamage)).toBe(false);
  });

  it("says how far it is, type by type", async () => {
    const seen: string[] = [];

    await all(verifyStore(await smallStore(), { onProgress: ({ type, checked }) => seen.push(`${type} ${checked}`) }));

    expect(seen).toContain("step 9");
    expect(seen.at(-1)).toBe("attachment 12");
  });

  it("holds no text of what it checks in its findings", async () => {
    const store = await smallStore("canary-7f3a");
    const sound = await versionsOf(store, coreDocumentTypes);
    const random = createRandom(1);
    const damaged = new Map(
      sound.flatMap((version) =>
        version.document === undefined ? [] : [[keyOf(version), withOneChange(version.document, random).document]],
      ),
    );

    const findings = await all(verifyStore(damagedStore(store, damaged)));

    expect(findings.length).toBeGreaterThan(10);
    expect(JSON.stringify(findings)).not.toContain("canary");
  });
});

const fileId = objectIdOf({ type: "file", source: at("/a") });
const attachment = attachmentId(sha256(new Uint8Array([1, 2, 3])));
const lineOf = ({ id, problem, detail }: Finding): string => `${id} ${problem}: ${detail}`;

/** A session of three steps with a file, two calls, an attachment and a keyframe. */
async function smallStore(text = "text"): Promise<ObjectStore> {
  const store = createMemoryStore();
  const source = new MapSource();
  source.files.set("/a", text);
  const options = { store, layout: { policy: quietPolicy, renderer: openLog }, sources: [source], session: "s" };
  const session = await openSession({ ...options, keyframeEverySteps: 2 });
  const attachments = [{ mime: "image/png", data: new Uint8Array([1, 2, 3]) }];
  for (const record of [reads("/a", `${text} 0`, "c0"), runs(result("c1", `${text} 1`)), says(`${text} 2`)]) {
    await session.receive([{ ...user(text), attachments }]);
    await session.assemble();
    await session.record(record);
  }
  return store;
}

/** The store with a number in place of an object's time that no clock gives. */
function withoutTime(store: ObjectStore, id: string): ObjectStore {
  return {
    ...intercepted(store, {}),
    async history(of, page) {
      const read = await store.history(of, page);
      const validTime = new Date(Number.NaN);
      return of === id ? { ...read, versions: read.versions.map((version) => ({ ...version, validTime })) } : read;
    },
  };
}

/** The store as if one object had never been written. */
function without(store: ObjectStore, gone: string): ObjectStore {
  return {
    ...intercepted(store, {}),
    async getMany(ids, asOf) {
      return store.getMany(
        ids.filter((id) => id !== gone),
        asOf,
      );
    },
    async history(id, page) {
      return id === gone ? { versions: [] } : store.history(id, page);
    },
    async find(filter, page) {
      const read = await store.find(filter, page);
      return { ...read, versions: read.versions.filter(({ id }) => id !== gone) };
    },
  };
}

/** A new version with other fields, sealed as it should be: only what it says is wrong. */
async function rewritten(
  store: ObjectStore,
  id: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<ObjectStore> {
  const document = (await store.getMany([id])).get(id)?.document;
  if (document === undefined) throw new Error(`There is no ${id}.`);
  const payload = { ...payloadOf(document), ...fields };
  await store.commit([
    { document: sealDocument({ type: document.type, id }, payload, coreDocumentTypes), expect: "any" },
  ]);
  return store;
}

function stamped(store: ObjectStore, id: string, stamp: Partial<ListedVersion>): ObjectStore {
  return {
    ...intercepted(store, {}),
    async history(asked, page) {
      const read = await store.history(asked, page);
      return asked === id ? { ...read, versions: read.versions.map((version) => ({ ...version, ...stamp })) } : read;
    },
  };
}

/** Its history is there all the same. A store that answers for many histories at once is not asked for what holds. */
function withoutOneNow(store: ObjectStore, id: string): ObjectStore {
  return {
    ...store,
    async getMany(ids, at) {
      const found = new Map(await store.getMany(ids, at));
      found.delete(id);
      return found;
    },
    histories: async (ids, page) =>
      new Map(await Promise.all(ids.map(async (each) => [each, await store.history(each, page)] as const))),
  };
}

function unlisted(store: ObjectStore, id: string): ObjectStore {
  return {
    ...intercepted(store, {}),
    async find(filter, page) {
      const { versions, ...rest } = await store.find(filter, page);
      return { ...rest, versions: versions.filter((version) => version.id !== id) };
    },
  };
}

function unreadable(store: ObjectStore, id: string): ObjectStore {
  const torn = new CmError("store/corrupt", `The document ${id} is torn.`);
  return intercepted(store, {
    before(method, [asked]) {
      const isAsked = method === "getMany" && Array.isArray(asked) ? asked.includes(id) : asked === id;
      if (isAsked) throw torn;
    },
  });
}

async function storeOfSessions(seed: number, count: number): Promise<ObjectStore> {
  const store = createMemoryStore();
  for (let session = 0; session < count; session += 1) {
    const random = createRandom(seed * 100 + session);
    const play = await Play.open({ store, renderer: openLog, seed, session: `s${session}` });
    for (const action of randomScript(random, 60)) await play.do(action);
  }
  return store;
}
