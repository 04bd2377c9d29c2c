// Verifies: SSOT 3.6, 5.7, F4, F13: starting, finding and refusing sessions.
import {
  type AsOf,
  type Basis,
  CmError,
  coreDocumentTypes,
  createMemoryStore,
  type DocumentOf,
  isDocumentOf,
  type ObjectStore,
  payloadOf,
  sealDocument,
} from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { openSession, rebuildPrompts, type Session } from "../src/index.ts";
import { all } from "./support/all.ts";
import { quietly } from "./support/layouts.ts";
import { result, runs, says } from "./support/messages.ts";
import { openLog, openSets, rendererFor } from "./support/renderers.ts";
import { intercepted } from "./support/stores.ts";

const parts = { layout: quietly(openLog) };

describe("opening", () => {
  it("starts a session under an id of its own where none is given", async () => {
    const store = createMemoryStore();

    const sessions = [await openSession({ store, ...parts }), await openSession({ store, ...parts })];

    expect(new Set(sessions.map(({ session }) => session)).size).toBe(2);
    expect((await store.find({ type: "session" })).versions).toHaveLength(2);
  });

  it("goes on without its system prompt only where that was erased: a lost one is asked for", async () => {
    const store = createMemoryStore();
    await (await openSession({ store, ...parts, session: "s", systemPrompt: "one" })).close();
    const lossy = {
      ...intercepted(store, {}),
      getMany: async (ids: readonly string[], at?: Basis | AsOf) => {
        const found = new Map(await store.getMany(ids, at));
        found.delete("system_prompt:s");
        return found;
      },
    };

    const session = await openSession({ store: lossy, ...parts, session: "s" });
    await expect(session.assemble()).rejects.toMatchObject({
      code: "session/damaged",
      message: expect.stringContaining("lost the system prompt of session s; hand one to assemble"),
    });
    expect((await session.assemble({ systemPrompt: "two" })).system).toBe("two");
    await session.abandon();
    await store.erase(["system_prompt:s"], "a leaked key");
    expect((await (await openSession({ store, ...parts, session: "s" })).assemble()).system).toBe("");
  });

  it.each(["", "a:b", "../x", "x".repeat(129), "@"])("refuses the id %o", async (session) => {
    const opened = openSession({ store: createMemoryStore(), ...parts, session });

    await expect(opened).rejects.toMatchObject({ code: "model/invalid-id" });
  });

  it("makes one session where two clients start it at once", async () => {
    const store = createMemoryStore();
    const open = (systemPrompt: string) => openSession({ store, ...parts, session: "s", systemPrompt });

    const [first, second] = await Promise.all([open("one"), open("two")]);
    const systems = [(await first.assemble()).system, (await second.assemble()).system];

    // Who comes second opens a session that exists, with another prompt from its next request on.
    expect([...systems].sort()).toEqual(["one", "two"]);
    expect((await store.history("session:s")).versions).toHaveLength(1);
  });

  it.each(["after", "before"] as const)(
    "goes on where the answer to its start was lost %s it was written",
    async (when) => {
      let isLost = true;
      const store = intercepted(createMemoryStore(), {
        [when](method: string) {
          if (method !== "commit" || !isLost) return;
          isLost = false;
          throw new CmError("store/unknown-outcome", "The answer was lost.");
        },
      });

      const session = await openSession({ store, ...parts, systemPrompt: "one" });

      expect((await session.assemble()).system).toBe("one");
    },
  );

  it("keeps the system prompt of a session that exists, where none is given", async () => {
    const store = createMemoryStore();
    await openSession({ store, ...parts, session: "s", systemPrompt: "one" });

    const resumed = await openSession({ store, ...parts, session: "s" });

    expect((await resumed.assemble()).system).toBe("one");
  });

  it("takes another system prompt from the next request on, and writes it with the step, redacted", async () => {
    const store = createMemoryStore();
    await oneStep(await openSession({ store, ...parts, session: "s", systemPrompt: "one" }));
    const resumed = await openSession({ store, ...parts, session: "s", systemPrompt: "two key", redact });
    const before = await promptsIn(store);

    const prompt = await resumed.assemble();
    await resumed.record(says("done"));

    expect([prompt.system, resumed.view().systemPrompt]).toEqual(["two []", "two []"]);
    expect([before, await promptsIn(store)]).toEqual([["one"], ["two []", "one"]]);
    expect((await store.getMany(["step:s:1"])).get("step:s:1")?.document).toMatchObject({ redactions: 1 });
    const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));
    expect(rebuilt.map(({ prompt: { system } }) => system)).toEqual(["one", "two []"]);
    expect(rebuilt.filter(({ hash, recordedHash }) => hash !== recordedHash)).toEqual([]);
  });

  it("writes no version of a system prompt that is given as it was, nor counts its redactions again", async () => {
    const store = createMemoryStore();
    const open = () => openSession({ store, ...parts, session: "s", systemPrompt: "one key", redact });
    await oneStep(await open());

    await oneStep(await open());

    expect(await promptsIn(store)).toEqual(["one []"]);
    const steps = await store.getMany(["step:s:0", "step:s:1"]);
    expect(steps.get("step:s:0")?.document).toMatchObject({ redactions: 1 });
    expect(steps.get("step:s:1")?.document).not.toHaveProperty("redactions");
  });

  it("empties a system prompt where an empty one is given", async () => {
    const store = createMemoryStore();
    await openSession({ store, ...parts, session: "s", systemPrompt: "one" });

    const resumed = await openSession({ store, ...parts, session: "s", systemPrompt: "" });
    await resumed.close();

    expect(await promptsIn(store)).toEqual(["", "one"]);
  });

  it("goes on with another layout, and rebuilds what the first one made", async () => {
    const store = createMemoryStore();
    const first = await openSession({ store, ...parts, session: "s" });
    await first.assemble();
    await first.record(runs(result("a", "")));
    const second = await openSession({ store, layout: quietly(openSets), rendererFor, session: "s" });
    await second.assemble();
    await second.record(says("done"));

    const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));

    expect(rebuilt.map(({ prompt }) => prompt.layout)).toEqual(["open-log/1", "open-sets/1"]);
    expect(rebuilt.filter(({ hash, recordedHash }) => hash !== recordedHash)).toEqual([]);
  });
});

describe("what is not there", () => {
  it("is said so: a session, a step, a layout", async () => {
    const store = createMemoryStore();
    const session = await openSession({ store, ...parts, session: "s" });
    await session.assemble();
    await session.record(says("done"));

    await expect(all(rebuildPrompts(store, "other", rendererFor))).rejects.toMatchObject({ code: "session/not-found" });
    for (const n of [1, -1, 0.5, Number.NaN, 1e300]) {
      await expect(session.promptAt(n)).rejects.toMatchObject({ code: "session/not-found" });
    }
    await expect(all(rebuildPrompts(store, "s", () => undefined))).rejects.toMatchObject({
      code: "session/unknown-layout",
    });
  });

  it("gives no prompts for a session without steps", async () => {
    const store = createMemoryStore();
    await openSession({ store, ...parts, session: "s" });

    expect(await all(rebuildPrompts(store, "s", rendererFor))).toEqual([]);
  });
});

describe("damage", () => {
  it("is found where an id of the session belongs to something else", async () => {
    const payload = coreDocumentTypes.get("system_prompt")?.payload;
    if (payload === undefined) throw new Error("There is no such type.");
    const other = { type: "other", role: "infrastructure", sourced: false, acceptsId: () => true } as const;
    const types = coreDocumentTypes.extend({ ...other, payload });
    const store = createMemoryStore({ types });
    const document = sealDocument({ type: "other", id: "session:s" }, { content: "", session_ref: "session:s" }, types);
    await store.commit([{ document, expect: "absent" }]);

    await expect(openSession({ store, ...parts, session: "s" })).rejects.toMatchObject({ code: "session/damaged" });
  });

  it("is found where the heads were erased", async () => {
    const store = await withTwoSteps();
    await store.erase(["session:s", "chat:s"], "a test");

    await expect(openSession({ store, ...parts, session: "s" })).rejects.toThrow(/its heads were erased/);
  });

  it("is found where a step is missing", async () => {
    const store = await withTwoSteps();
    const holed: ObjectStore = {
      ...intercepted(store, {}),
      getMany: async (ids, at) => new Map([...(await store.getMany(ids, at))].filter(([id]) => id !== "step:s:0")),
    };

    await expect(openSession({ store: holed, ...parts, session: "s" })).rejects.toThrow(/step 0 is missing/);
  });

  it("is found where a step is not the one the head vouches for", async () => {
    const store = await withTwoSteps();
    await change(store, 0, { turn: 7 });

    await expect(openSession({ store, ...parts, session: "s" })).rejects.toThrow(/not those that its head vouches for/);
  });

  it("is found where steps continue each other in a circle", async () => {
    const store = await withTwoSteps();
    await change(store, 0, { parent: { session: "s", n: 1 } });

    await expect(openSession({ store, ...parts, session: "s" })).rejects.toThrow(/step 1 continues itself/);
  });
});

async function withTwoSteps(): Promise<ObjectStore> {
  const store = createMemoryStore();
  const session = await openSession({ store, ...parts, session: "s" });
  for (const text of ["one", "two"]) {
    await session.assemble();
    await session.record(says(text));
  }
  return store;
}

const redact = (text: string) => ({ text: text.replaceAll("key", "[]"), count: text.split("key").length - 1 });

async function oneStep(session: Session): Promise<void> {
  await session.assemble();
  await session.record(says("done"));
}

/** Every version of the system prompt, the newest first. */
async function promptsIn(store: ObjectStore): Promise<readonly unknown[]> {
  const { versions } = await store.history("system_prompt:s", { documents: true });
  return versions.map(({ document }) => document?.content);
}

/** Writes a step anew, as no client of ours would. */
async function change(store: ObjectStore, n: number, fields: Partial<DocumentOf<"step">>): Promise<void> {
  const document = (await store.getMany([`step:s:${n}`])).get(`step:s:${n}`)?.document;
  if (document === undefined || !isDocumentOf(document, "step")) throw new Error(`There is no step ${n}.`);
  const payload = { ...payloadOf(document), ...fields };
  const changed = sealDocument({ type: "step", id: `step:s:${n}` }, payload, coreDocumentTypes);
  await store.commit([{ document: changed, expect: "any" }]);
}
