// Verifies: SSOT 3.7, F7: of two clients that observe one file the newest observation wins; versions never alternate.
import { createMemoryStore, everyVersion, type ObjectStore, objectIdOf } from "@cm/object-model";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { FileIndex } from "../src/files/file-index.ts";
import { indexFiles, limits, openSession } from "../src/index.ts";
import { at, MapSource } from "./support/map-source.ts";
import { reads, says, touch } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog } from "./support/renderers.ts";
import { forSeeds } from "./support/seeds.ts";
import { intercepted } from "./support/stores.ts";
import { Turns } from "./support/turns.ts";

const file = "test/file-writers.test.ts";
const paths = ["/a", "/b", "/c"];

describe("two clients that observe and commit the same files in any order", () => {
  it("leave what is on disk, after versions in the order in which it was there", async () => {
    await forSeeds({ short: 60, long: 1_000, file }, async (random) => {
      const store = createMemoryStore();
      const disk = new Disk();
      const turns = new Turns(random);
      const clients = await Promise.all(["one", "two"].map((name) => clientOf(name, store, disk)));
      for (const { takes } of clients) takes.turns = turns;

      await turns.run(changes(disk, random, turns), ...clients.map(({ session }) => work(session, random)));
      await turns.run(...clients.map(({ session }) => session.assemble()));

      for (const path of paths) {
        const stored = await versionsOf(store, path);
        expect(isInOrder(stored, disk.history(path)), `${path}: ${stored} of ${disk.history(path)}`).toBe(true);
        expect(stored.at(-1), path).toBe(stored.length === 0 ? undefined : disk.contentOf(path));
      }
    });
  });
});

describe.each([
  ["step", (write: Writers) => write.step()],
  ["sweep", (write: Writers) => write.sweep()],
  ["index of many files", (write: Writers) => write.index()],
] as const)("a file of which an older version came later, as an import brings it: a %s", (_how, write) => {
  it("writes what is there on top of it, and again after another import", async () => {
    const { store, disk, writers } = await oldAndNew();
    for (const text of ["second", "third"]) {
      await backDated(store, `${text} of another store`);
      disk.files.set("/a", text);

      await write(writers);

      const [newest] = (await store.history(objectIdOf({ type: "file", source: at("/a") }), { documents: true }))
        .versions;
      expect(newest?.document?.content).toBe(text);
    }
  });
});

interface Writers {
  step(): Promise<void>;
  sweep(): Promise<void>;
  index(): Promise<void>;
}

async function oldAndNew(): Promise<{
  readonly store: ObjectStore;
  readonly disk: MapSource;
  readonly writers: Writers;
}> {
  const store = createMemoryStore();
  const disk = new MapSource();
  disk.files.set("/a", "first");
  const session = await openSession({ store, layout: { policy: quietPolicy, renderer: openLog }, sources: [disk] });
  const step = async (): Promise<void> => {
    // Found by the step itself: there is no look between it and its request.
    const text = disk.files.get("/a");
    disk.files.set("/a", "first");
    await session.assemble();
    disk.files.set("/a", String(text));
    await session.record(reads("/a", String(text)));
  };
  const sweep = async (): Promise<void> => {
    await session.assemble();
    await session.record(says("seen"));
  };
  const index = async (): Promise<void> => {
    await indexFiles({ store, source: disk }, [[at("/a")]]);
  };
  await session.assemble();
  await session.record(reads("/a", "first"));
  return { store, disk, writers: { step, sweep, index } };
}

async function backDated(store: ObjectStore, text: string): Promise<void> {
  const other = createMemoryStore();
  const source = new MapSource();
  source.files.set("/a", text);
  await indexFiles({ store: other, source }, [[at("/a")]]);
  const id = objectIdOf({ type: "file", source: at("/a") });
  const document = (await other.getMany([id])).get(id)?.document;
  if (document === undefined) throw new Error("The other store has no version.");
  await store.commit([{ document, expect: "any" }], { validTime: new Date(1) });
}

describe("a client that another one overtakes between look and commit", () => {
  it("adds no version where both saw the same", async () => {
    const { store, disk, overtaken } = overtakenBy((look) => look());
    disk.files.set("/a", "text");

    const files = new FileIndex(overtaken, [disk]);
    await indexFiles({ store: overtaken, source: disk }, [[at("/a")]]);
    await files.sweep();

    expect(await versionsOf(store, "/a")).toEqual(["text"]);
  });

  it("looks again in a sweep, and writes what is there then", async () => {
    const { store, disk, overtaken } = overtakenBy((look) => {
      disk.files.set("/a", "newest");
      return look();
    });
    disk.files.set("/a", "old");
    const files = new FileIndex(overtaken, [disk]);
    await files.index([touch("/a", "read")]);
    disk.files.set("/a", "newer");

    const written = await files.sweep();

    expect(await versionsOf(store, "/a")).toEqual(["newest"]);
    expect(written.map(({ document }) => document?.content)).toEqual(["newest"]);
  });

  it("reads a stub again", async () => {
    const { store, disk, overtaken } = overtakenBy((look) => {
      disk.files.set("/a", "newest");
      return look();
    });
    disk.files.set("/a", "old");
    const [stub] = await indexStub(store, disk);

    const [read] = await new FileIndex(overtaken, [disk]).read(stub?.id ?? "");

    expect(read?.document?.content).toBe("newest");
    expect(await versionsOf(store, "/a")).toEqual([null, "newest"]);
  });

  it("leaves a file that others keep writing to the next sweep", async () => {
    let times = 0;
    const { store, disk, overtaken } = overtakenBy(async (look) => {
      times += 1;
      disk.files.set("/a", `theirs ${times}`);
      await look();
      disk.files.set("/a", `mine ${times}`);
    }, limits.lookAttemptsMax);
    const files = new FileIndex(overtaken, [disk]);
    disk.files.set("/a", "old");
    await writeAll(store, await files.index([touch("/a", "read")]));
    disk.files.set("/a", "mine 0");

    const given = [await files.sweep(), await files.sweep()];

    const theirs = Array.from({ length: limits.lookAttemptsMax }, (_, n) => `theirs ${n + 1}`);
    expect(given.map((files) => files.map(({ document }) => document?.content))).toEqual([[], [`mine ${times}`]]);
    expect(await versionsOf(store, "/a")).toEqual(["old", ...theirs, `mine ${times}`]);
  });
});

type Session = Awaited<ReturnType<typeof openSession>>;

/** A filesystem that remembers what it held. */
class Disk extends MapSource {
  readonly #histories = new Map<string, (string | null)[]>();

  put(path: string, content: string | null): void {
    if (content === null) this.files.delete(path);
    else this.files.set(path, content);
    this.history(path).push(content);
  }

  contentOf(path: string): string | null {
    return this.history(path).at(-1) ?? null;
  }

  history(path: string): (string | null)[] {
    const history = this.#histories.get(path) ?? [];
    this.#histories.set(path, history);
    return history;
  }
}

/** A session of its own, whose calls of store and source take turns before and after. */
async function clientOf(name: string, store: ObjectStore, disk: Disk) {
  const takes: { turns?: Turns } = {};
  const wait = async () => takes.turns?.take();
  const source = {
    contract: "source/1" as const,
    type: disk.type,
    parseBinding: disk.parseBinding.bind(disk),
    describe: disk.describe.bind(disk),
    async observe(requests: Parameters<Disk["observe"]>[0]) {
      await wait();
      const observations = await disk.observe(requests);
      await wait();
      return observations;
    },
  };
  const session = await openSession({
    store: intercepted(store, { before: wait, after: wait }),
    layout: { policy: quietPolicy, renderer: openLog },
    sources: [source],
    session: name,
  });
  return { session, takes };
}

async function work(session: Session, random: Random): Promise<void> {
  for (let n = 0; n < 4; n += 1) {
    await session.assemble();
    const path = random.pick(paths);
    await session.record(reads(path, "as the agent saw it", `call ${n}`));
  }
}

/** No content twice, so that an alternation shows; but a file may be gone several times. */
async function changes(disk: Disk, random: Random, turns: Turns): Promise<void> {
  for (let n = 0; n < 12; n += 1) {
    disk.put(random.pick(paths), random.chance(0.15) ? null : `version ${n}`);
    for (let turn = random.below(4); turn > 0; turn -= 1) await turns.take();
  }
}

async function versionsOf(store: ObjectStore, path: string): Promise<readonly (string | null)[]> {
  const contents: (string | null)[] = [];
  const id = objectIdOf({ type: "file", source: at(path) });
  for await (const { document } of everyVersion((page) => store.history(id, { ...page, documents: true }))) {
    contents.unshift(document?.content ?? null);
  }
  return contents;
}

function isInOrder(some: readonly (string | null)[], all: readonly (string | null)[]): boolean {
  let from = 0;
  return some.every((content) => {
    const found = all.indexOf(content, from);
    from = found + 1;
    return found >= 0;
  });
}

/** A store before whose next commits another client looks at the file and writes it. */
function overtakenBy(meanwhile: (look: () => Promise<void>) => Promise<void>, times = 1) {
  const store = createMemoryStore();
  const disk = new Disk();
  let left = times;
  const overtaken = intercepted(store, {
    async before(method) {
      if (method !== "commit" || left === 0) return;
      left -= 1;
      await meanwhile(async () => writeAll(store, await new FileIndex(store, [disk]).index([touch("/a", "read")])));
    },
  });
  return { store, disk, overtaken };
}

async function writeAll(store: ObjectStore, indexed: Awaited<ReturnType<FileIndex["index"]>>): Promise<void> {
  const writes = [...indexed.values()].flatMap(({ write }) => write ?? []);
  if (writes.length > 0) await store.commit(writes);
}

async function indexStub(store: ObjectStore, disk: Disk) {
  const indexed = await new FileIndex(store, [disk]).index([touch("/a", "discovered")]);
  await writeAll(store, indexed);
  return [...indexed.values()];
}
