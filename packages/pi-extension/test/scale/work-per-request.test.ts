// @module-tag long
// Verifies: SSOT 5.12: the time of a request late in a session. Counts, no clock: what a request asks
// of the database and of Pi is the same however long the branch is.
import { defaultPrices } from "@cm/context-log";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { layouts } from "@cm/render";
import { expect, it, onTestFinished } from "vitest";
import { ManagedSession } from "../../src/managed/managed-session.ts";
import { Branch } from "../support/branch.ts";

const early = 100;
const late = 300;
/** Enough that what happens only now and then is the same for both: each has one keyframe of every hundredth step. */
const sample = 20;

const plain = (text: string) => ({ text, count: 0 });

class Work {
  reads = 0;
  idsRead = 0;
  commits = 0;
  writes = 0;
  searches = 0;
  branches = 0;

  since(before: Readonly<Work>): Readonly<Record<string, number>> {
    return Object.fromEntries(Object.entries(this).map(([name, count]) => [name, count - before[name as "reads"]]));
  }

  now(): Work {
    return Object.assign(new Work(), this);
  }
}

it("asks the database and Pi no more at 300 steps than at 100", async () => {
  const work = new Work();
  const branch = new Branch();
  const base = branch.side();
  const store = counted(createMemoryStore(), work);
  const side = {
    ...base,
    branch: () => {
      work.branches += 1;
      return base.branch();
    },
  };
  const session = new ManagedSession({
    ...{ side, redact: plain, storePlace: "memory" },
    openStore: async () => ({
      ...{ store, state: () => ({ queued: 0 }), isThere: async () => true, close: async () => undefined },
    }),
    sessionOptions: () => ({
      ...{ sources: [], redact: plain, layout: layouts.log, prices: defaultPrices, headChars: 9, discover: [] },
      touchesOf: async () => [],
    }),
  });
  onTestFinished(() => session.close());
  const seen = new Map<number, Work>();

  for (let n = 0; n <= late + sample; n += 1) {
    seen.set(n, work.now());
    if (n % 10 === 0) branch.ask(`Go on with ${n}.`);
    await session.messagesFor(branch.messages, {});
    branch.call(`call_${n}`, { path: `file-${n}.ts`, output: `output ${n}\n${"text of a file\n".repeat(40)}` });
    await session.catchUp();
    if (n % 10 === 9) await session.settle();
  }

  const between = (from: number) => seen.get(from + sample)?.since(seen.get(from) ?? work);
  expect(between(late)).toEqual(between(early));
  expect(between(late)).toMatchObject({ commits: sample, searches: 0 });
});

function counted(store: ObjectStore, work: Work): ObjectStore {
  return {
    ...store,
    getMany(ids, at) {
      work.reads += 1;
      work.idsRead += ids.length;
      return store.getMany(ids, at);
    },
    commit(writes, options) {
      work.commits += 1;
      work.writes += writes.length;
      return store.commit(writes, options);
    },
    find(filter, page) {
      work.searches += 1;
      return store.find(filter, page);
    },
    history(id, page) {
      work.searches += 1;
      return store.history(id, page);
    },
  };
}
