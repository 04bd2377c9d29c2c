// Verifies: what a case says of a subject that hangs, that is none, or that refuses in its own words.
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type CaseResult,
  type ConformanceSuite,
  type HarnessFactory,
  harnessSuite,
  objectStoreSuite,
  openMemorySource,
  openSimpleHarness,
  openSimplePolicy,
  type PolicyFactory,
  policySuite,
  runSuite,
  type SourceFactory,
  type StoreFactory,
  sourceSuite,
} from "../src/index.ts";

const storeCase = (id: string) => {
  const found = objectStoreSuite.cases.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no case ${id}.`);
  return found;
};
/** The memory store with some members replaced; `of` gives the others. */
const altered =
  (change: (of: ObjectStore) => Partial<ObjectStore>): StoreFactory =>
  async (setting) => {
    const of = createMemoryStore(setting);
    return {
      contract: of.contract,
      getMany: (ids, at) => of.getMany(ids, at),
      commit: (writes, options) => of.commit(writes, options),
      history: (id, page) => of.history(id, page),
      find: (filter, page) => of.find(filter, page),
      erase: (named, reason) => of.erase(named, reason),
      close: async () => of.close?.(),
      ...change(of),
    };
  };
const silent = altered(() => ({ getMany: () => new Promise(() => {}) }));
const failureOf = (run: Promise<void>) =>
  run.then(
    () => undefined,
    (error: unknown) => error as Error,
  );

describe("a case whose subject never answers", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("ends in its time with its id and the call that was made last, and leaves no timer", async () => {
    const held = failureOf(storeCase("OS-010").run(silent, { timeoutMs: 500 }));
    const hung = failureOf(storeCase("OS-001").run(silent, { timeoutMs: 500 }));
    await vi.advanceTimersByTimeAsync(500);

    expect((await hung)?.message).toMatch(/^OS-001 did not end within 500 ms: its law did not end.\nThe last call was/);
    expect(await held).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends also where the store does not open, or does not close, and closes what comes too late", async () => {
    const opening = Promise.withResolvers<ObjectStore>();
    const closed = vi.fn(async () => undefined);
    const late = failureOf(storeCase("OS-143").run(() => opening.promise, { timeoutMs: 500 }));
    const open = failureOf(
      storeCase("OS-143").run(
        altered(() => ({ close: () => new Promise(() => {}) })),
        { timeoutMs: 500 },
      ),
    );
    await vi.advanceTimersByTimeAsync(500);
    opening.resolve(
      Object.assign(Object.create(createMemoryStore({ now: () => 0 })), { close: closed }) as ObjectStore,
    );

    expect((await late)?.message).toBe("OS-143 did not end within 500 ms: the factory did not end.");
    expect((await open)?.message).toMatch(
      /^OS-143 did not end within 500 ms: the closing of what it opened did not end/,
    );
    await expect.poll(() => closed.mock.calls.length).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("has two minutes unless told otherwise, and no time that a timer cannot keep", async () => {
    const failure = failureOf(storeCase("OS-001").run(silent));
    await vi.advanceTimersByTimeAsync(120_000);

    expect((await failure)?.message).toMatch(/^OS-001 did not end within 120000 ms/);
    for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 32]) {
      await expect(runSuite(objectStoreSuite, silent, { timeoutMs })).rejects.toThrow(/timeoutMs is/);
    }
  });

  it("does not keep the cases after it from running, also in a suite that keeps no time of its own", async () => {
    const facts = { id: "X-1", clause: "SSOT 1.1", title: "It ends.", run: () => new Promise<void>(() => {}) };
    const cases = [facts, { ...facts, id: "X-2", run: async () => undefined }];
    const heard: CaseResult[] = [];

    const run = runSuite({ contract: "facts/1", cases }, null, { timeoutMs: 500, onCase: (one) => heard.push(one) });
    await vi.advanceTimersByTimeAsync(60_000);

    const { results } = await run;
    expect(heard).toEqual(results);
    expect(heard).toMatchObject([
      { id: "X-1", clause: "SSOT 1.1", title: "It ends.", outcome: "broken", durationMs: expect.any(Number) },
      { id: "X-2", outcome: "held", durationMs: expect.any(Number) },
    ]);
    expect(String(heard[0]?.error)).toContain("X-1 did not end within 500 ms.");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("what is no subject of a contract", () => {
  it.each([
    [
      "a store",
      () => runSuite(objectStoreSuite, async () => ({}) as never),
      "object store: it has no getMany(), commit()",
    ],
    ["a store", () => runSuite(objectStoreSuite, async () => undefined as never), "object store: it is undefined"],
    ["a source", () => runSuite(sourceSuite, async () => ({}) as never), "subject of a source: it has no close()"],
    [
      "a source",
      () => runSuite(sourceSuite, async () => ({ ...(await openMemorySource()), source: {} }) as never),
      "source: it has no parseBinding(), describe(), observe()",
    ],
    ["a policy", () => runSuite(policySuite, () => ({}) as never), "policy: it is undefined"],
    [
      "a renderer",
      () => runSuite(policySuite, () => ({ ...openSimplePolicy(), renderer: {} }) as never),
      "renderer: it has no render()",
    ],
    ["a harness", () => runSuite(harnessSuite, () => ({ features: [] }) as never), "harness: it has no play()"],
  ])("is told once, in one sentence, before any law: %s", async (_title, run, sentence) => {
    await expect(run()).rejects.toThrow(`What the factory gives is no ${sentence}`);
  });

  it("is told so by each case, too, for a runner of single cases", async () => {
    await expect(storeCase("OS-001").run(async () => ({}) as never)).rejects.toThrow(
      "What the factory gives is no object store: it has no getMany(), commit(), history(), find(), erase().",
    );
  });
});

describe("the message of a law that fails", () => {
  it("says which refusal was expected and which came", async () => {
    const rude = altered((of) => ({
      commit: (writes, options) =>
        writes.some(({ expect }) => expect === "absent")
          ? Promise.reject(new Error("exists"))
          : of.commit(writes, options),
    }));
    const first = altered((of) => {
      let commits = 0;
      return {
        commit(writes, options) {
          commits += 1;
          return commits === 1 ? of.commit(writes, options) : Promise.reject(new Error("exists"));
        },
      };
    });

    expect((await failureOf(storeCase("OS-010").run(first)))?.message).toBe(
      'expected CmError store/conflict, got Error: exists\nThe last call was store.commit(["call_1"]).',
    );
    const failure = await failureOf(storeCase("OS-010").run(rude));
    expect(failure?.message).toBe('Error: exists\nThe last call was store.commit(["call_1"]).');
    expect(failure?.cause).toEqual(new Error("exists"));
    expect(failure?.stack).toContain("The last call was store.commit");
  });

  it("does so for sources, policies and harnesses, too", async () => {
    const broken = () => {
      throw new TypeError("broken");
    };
    const source: SourceFactory = async () => {
      const subject = await openMemorySource();
      return { ...subject, source: { ...subject.source, parseBinding: broken, observe: async () => broken() } };
    };
    const policy: PolicyFactory = () => ({
      ...openSimplePolicy(),
      policy: { contract: "policy/1", name: "broken", decide: broken },
    });
    const harness: HarnessFactory = () => ({ ...openSimpleHarness(), play: async () => broken() });

    const said = async <F>(suite: ConformanceSuite<F>, id: string, open: F) =>
      (await failureOf(suite.cases.find((one) => one.id === id)?.run(open) ?? Promise.resolve()))?.message;

    expect(await said(sourceSuite, "SRC-002", source)).toBe(
      "expected CmError model/invalid-source, got TypeError\nThe last call was source.parseBinding().",
    );
    expect(await said(sourceSuite, "SRC-013", source)).toMatch(
      /^TypeError: broken\nThe last call was source\.observe\(\[\{"type":"memory","world":/,
    );
    expect(await said(policySuite, "POL-001", policy)).toMatch(
      /: broken\n.*\nThe last call was policy\.decide\(step 0, log length 1\)\.$/s,
    );
    expect(await said(harnessSuite, "HAR-001", harness)).toMatch(
      /^TypeError: broken\nThe last call was harness\.play\("[\w -]+"\)\.$/,
    );
  });

  it("names at most a few ids of the last call, and no text of it", async () => {
    const seen = new Map<string, string>();
    const broken = altered((of) => ({
      getMany: () => Promise.reject(new Error("away")),
      find: () => Promise.reject(new Error("away")),
      commit: (writes, options) => {
        for (const { document } of writes) if (document.content) seen.set(document.content, document["xt/id"]);
        return of.commit(writes, options);
      },
    }));
    const ids = ["OS-001", "OS-002", "OS-080", "OS-088", "OS-123"];

    const { results } = await runSuite(
      { ...objectStoreSuite, cases: objectStoreSuite.cases.filter(({ id }) => ids.includes(id)) },
      broken,
    );

    const messages = results.flatMap(({ error }) => (error instanceof Error ? error.message : []));
    expect(messages.length).toBeGreaterThan(2);
    const texts = [...seen.keys()].filter((text) => text.length > 3);
    for (const message of messages) {
      expect(message).toMatch(/\nThe last call was store\.\w+\([^\n]{0,600}\)\.$/);
      expect(texts.filter((text) => message.includes(text))).toEqual([]);
    }
  });

  it("is the same for a frozen subject and for one with private members", async () => {
    class Guarded {
      readonly #inner = createMemoryStore({ now: () => 0 });
      readonly contract = "object-store/1";
      getMany: ObjectStore["getMany"] = (ids) => this.#inner.getMany(ids);
      commit() {
        return Promise.reject(new Error(`full ${this.#inner.contract.length}`));
      }
      history: ObjectStore["history"] = (id) => this.#inner.history(id);
      find: ObjectStore["find"] = (filter) => this.#inner.find(filter);
      erase: ObjectStore["erase"] = (ids, reason) => this.#inner.erase(ids, reason);
    }

    const failure = await failureOf(storeCase("OS-010").run(async () => Object.freeze(new Guarded())));

    expect(failure?.message).toMatch(/^Error: full \d+\nThe last call was store.commit/);
  });
});
