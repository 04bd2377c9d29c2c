import assert from "node:assert/strict";
import type { SessionStorageLaw } from "../session-storage-case.ts";
import type { StorageSubject } from "../session-storage-subject.ts";

const clause = "files";
const text = "eins\nzwei 😀\n\u0000drei";
const isMissing = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === "ENOENT";

/** Laws of whole files. */
export const files: readonly SessionStorageLaw[] = [
  {
    ...{ id: "SST-001", clause, title: "What is written is read, whatever text it is, and written over." },
    holds: async ({ storage, folder }) => {
      await storage.writeText(`${folder}/a.jsonl`, text);
      storage.writeTextSync(`${folder}/b.jsonl`, text);
      assert.equal(await storage.readText(`${folder}/a.jsonl`), text);
      assert.equal(await storage.readText(`${folder}/b.jsonl`), text);
      await storage.writeText(`${folder}/a.jsonl`, "x");
      storage.writeTextSync(`${folder}/b.jsonl`, "y");
      assert.equal(await storage.readText(`${folder}/a.jsonl`), "x");
      assert.equal(await storage.readText(`${folder}/b.jsonl`), "y");
    },
  },
  {
    ...{ id: "SST-002", clause, title: "Writing makes the folders that are missing." },
    holds: async ({ storage, folder }) => {
      await storage.writeText(`${folder}/x/y/a`, "1");
      storage.writeTextSync(`${folder}/p/q/a`, "2");
      const writer = storage.openWriter(`${folder}/u/v/a`);
      await writer.writeLine("3\n");
      await writer.close();
      for (const path of ["x/y/a", "p/q/a", "u/v/a"]) assert.ok(storage.existsSync(`${folder}/${path}`), path);
    },
  },
  {
    ...{ id: "SST-003", clause, title: "A file exists from its writing to its unlinking, by both ways of asking." },
    holds: async ({ storage, folder }) => {
      const path = `${folder}/a`;
      const seen: boolean[] = [];
      const look = async () => seen.push(storage.existsSync(path), await storage.exists(path));
      await look();
      await storage.writeText(path, "");
      await look();
      await storage.unlink(path);
      await look();
      assert.deepEqual(seen, [false, false, true, true, false, false]);
    },
  },
  {
    ...{ id: "SST-004", clause, title: "The size is that of the UTF-8 bytes, and times do not go back." },
    holds: async ({ storage, folder }) => {
      await storage.writeText(`${folder}/a`, text);
      const before = storage.statSync(`${folder}/a`);
      assert.equal(before.size, Buffer.byteLength(text));
      // The one is rounded.
      assert.ok(Math.abs(before.mtime.getTime() - before.mtimeMs) <= 1, "both times are one");
      await storage.writeText(`${folder}/a`, "x");
      assert.ok(storage.statSync(`${folder}/a`).mtimeMs >= before.mtimeMs);
      assert.equal(storage.statSync(`${folder}/a`).size, 1);
    },
  },
  {
    ...{ id: "SST-005", clause, title: "A prefix has as many bytes as asked for, or all, and no more." },
    holds: async ({ storage, folder }) => {
      await storage.writeText(`${folder}/a`, "ä-bcd");
      assert.equal(await storage.readTextPrefix(`${folder}/a`, 3), "ä-");
      assert.equal(await storage.readTextPrefix(`${folder}/a`, 1000), "ä-bcd");
      assert.equal(await storage.readTextPrefix(`${folder}/a`, 0), "");
    },
  },
  {
    ...{ id: "SST-006", clause, title: "Renaming takes the place of what was there, and leaves the old name." },
    holds: async ({ storage, folder }) => {
      await storage.writeText(`${folder}/a`, "new");
      await storage.writeText(`${folder}/b`, "old");
      await storage.rename(`${folder}/a`, `${folder}/b`);
      assert.equal(await storage.readText(`${folder}/b`), "new");
      assert.equal(storage.existsSync(`${folder}/a`), false);
    },
  },
  {
    ...{ id: "SST-007", clause, title: "What is not there is an error with the code ENOENT, and nothing is made." },
    holds: async ({ storage, folder }) => {
      const path = `${folder}/none`;
      await assert.rejects(async () => storage.readText(path), isMissing);
      await assert.rejects(async () => storage.readTextPrefix(path, 10), isMissing);
      await assert.rejects(async () => storage.rename(path, `${path}2`), isMissing);
      await assert.rejects(async () => storage.unlink(path), isMissing);
      assert.throws(() => storage.statSync(path), isMissing);
      assert.equal(storage.existsSync(path) || storage.existsSync(`${path}2`), false);
    },
  },
  {
    ...{ id: "SST-008", clause, title: "A list has the files of one folder that fit, by their whole paths." },
    holds: listing,
  },
];

async function listing({ storage, folder }: StorageSubject): Promise<void> {
  storage.ensureDirSync(folder);
  storage.ensureDirSync(folder);
  for (const name of ["a.jsonl", "b.jsonl", "b.jsonl.tmp", "sub/c.jsonl"]) {
    await storage.writeText(`${folder}/${name}`, "x");
  }
  const listed = (pattern: string) => storage.listFilesSync(folder, pattern).sort();
  assert.deepEqual(listed("*.jsonl"), [`${folder}/a.jsonl`, `${folder}/b.jsonl`]);
  assert.deepEqual(listed("*"), [`${folder}/a.jsonl`, `${folder}/b.jsonl`, `${folder}/b.jsonl.tmp`]);
  assert.deepEqual(listed("a.jsonl"), [`${folder}/a.jsonl`]);
  assert.deepEqual(storage.listFilesSync(`${folder}/none`, "*"), []);
}
