// Verifies: SSOT 2.8, F13: a log that was damaged behind a killed process is called damaged, and one that merely ends is not.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isCmError, type ObjectDocument } from "@cm/object-model";
import { createRandom, forSeeds, type Random } from "@cm/testkit";
import { expect, it } from "vitest";
import {
  compactSqliteStore,
  isDamagedStore,
  openSqliteStore,
  recoverSqliteStore,
  type SqliteObjectStore,
} from "../src/index.ts";
import { toolcall } from "./support/documents.ts";
import { freshPath } from "./support/folder.ts";

const headerBytes = 32;
const frameBytes = 24 + 4_096;
const commits = 12;

/** What a process leaves on the disk that is killed while it has a store open. */
interface Files {
  readonly database: Buffer;
  readonly log: Buffer;
}

const filesAt = (path: string): Files => ({ database: readFileSync(path), log: readFileSync(`${path}-wal`) });

function put({ database, log }: Files): string {
  const path = freshPath();
  writeFileSync(path, database);
  writeFileSync(`${path}-wal`, log);
  return path;
}

const words = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.below(1e9).toString(36)).join(" ");

const call = (id: string, random: Random, count: number): ObjectDocument => toolcall(id, words(random, count));

async function commit(store: SqliteObjectStore, document: ObjectDocument): Promise<void> {
  await store.commit([{ document, expect: "absent" }]);
}

const written = Array.from({ length: commits }, (_, n) => {
  const random = createRandom(n);
  return call(`call-${n}`, random, 1 + random.below(2_000));
});

let made: Promise<Files> | undefined;
/** The log has all commits. */
const killed = (): Promise<Files> => {
  made ??= (async () => {
    const path = freshPath();
    const store = openSqliteStore({ path });
    for (const document of written) await commit(store, document);
    const files = filesAt(path);
    await store.close();
    return files;
  })();
  return made;
};

/** The places of the commits that a store has, or the error that says why it does not open. */
async function readBy(path: string): Promise<readonly number[] | Error> {
  let store: SqliteObjectStore;
  try {
    store = openSqliteStore({ path });
  } catch (error) {
    return error as Error;
  }
  const found = await store.getMany(written.map((document) => document["xt/id"]));
  await store.close();
  const places = [...written.keys()].filter((place) => found.has(`call-${place}`));
  const isAsWritten = (place: number) =>
    found.get(`call-${place}`)?.document?.content_hash === written[place]?.content_hash;
  expect(places.filter(isAsWritten)).toEqual(places);
  return places;
}

/** The first commits, as a log has them that is read up to a place. */
const first = (count: number): readonly number[] => [...written.keys()].slice(0, count);

it("a bit of the log that is another loses at most the last commit without a word", async () => {
  const { database, log } = await killed();
  const recovered: (readonly number[])[] = [];
  await forSeeds({ short: 10, long: 400, file: "test/damaged-log.test.ts" }, async (random) => {
    const damaged = Buffer.from(log);
    const at = random.below(log.length);
    damaged.writeUInt8(log.readUInt8(at) ^ (1 << random.below(8)), at);
    const path = put({ database, log: damaged });

    const read = await readBy(path);

    if (!(read instanceof Error)) {
      expect(read).toEqual(first(read.length));
      expect(read.length).toBeGreaterThanOrEqual(commits - 1);
      return;
    }
    const frame = at < headerBytes ? 1 : 1 + Math.floor((at - headerBytes) / frameBytes);
    expect(isCmError(read, "store/corrupt") && isDamagedStore(read) && read.data.frame).toBe(frame);
    expect(() => compactSqliteStore({ path })).toThrow(/^The log beside the database \(-wal\) is damaged/);
    const to = freshPath();
    expect(recoverSqliteStore({ path, to }).isIncomplete).toBe(true);
    recovered.push((await readBy(to)) as readonly number[]);
  });
  // What was committed behind the damage is read, too. A page that all rows lead to is seldom the one that is damaged.
  const poor = recovered.filter(({ length }) => length < commits - 1);
  expect(poor.length).toBeLessThanOrEqual(recovered.length / 20);
});

it("a log that ends anywhere is read up to there", async () => {
  const { database, log } = await killed();
  await forSeeds({ short: 10, long: 400, file: "test/damaged-log.test.ts" }, async (random) => {
    const path = put({ database, log: log.subarray(0, random.below(log.length + 1)) });

    const read = await readBy(path);

    expect(read).toEqual(first((read as readonly number[]).length));
  });
});

it("what commits left that failed is no damage", async () => {
  const random = createRandom(1);
  const { database, log } = await killed();
  const logs: Buffer[] = [];
  // Each goes on from the same place, as if the one before it had failed.
  for (const [n, size] of [9_000, 5_000, 1].entries()) {
    const path = put({ database, log });
    const store = openSqliteStore({ path });
    await commit(store, call(`failed-${n}`, random, size));
    logs.push(filesAt(path).log);
    await store.close();
  }
  const overlaid = Buffer.alloc(Math.max(...logs.map(({ length }) => length)));
  for (const one of logs) one.copy(overlaid);

  expect(await readBy(put({ database, log: overlaid }))).toEqual(first(commits));
});

it("what is left of a log that was begun anew is no damage", async () => {
  const random = createRandom(2);
  const path = put(await killed());
  const store = openSqliteStore({ path });
  // Until SQLite has moved all of it into the file, and begins again.
  for (let n = 0, before = -1; ; n += 1) {
    const { size } = statSync(`${path}-wal`);
    if (size === before) break;
    before = size;
    await commit(store, call(`more-${n}`, random, 90_000));
  }

  expect(await readBy(put(filesAt(path)))).toEqual(first(commits));
  await store.close();
});

it("a log that cannot be read is told as what it is, by a code", async () => {
  const path = put(await killed());
  rmSync(`${path}-wal`);
  mkdirSync(`${path}-wal`);

  expect(() => openSqliteStore({ path })).toThrow(expect.objectContaining({ code: "store/unavailable" }));
});
