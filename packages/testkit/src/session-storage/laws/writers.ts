import assert from "node:assert/strict";
import type { SessionStorageLaw } from "../session-storage-case.ts";

const clause = "writers";

/** Laws of appending. */
export const writers: readonly SessionStorageLaw[] = [
  {
    ...{ id: "SST-020", clause, title: "Lines come behind what was there, in the order of the calls." },
    holds: async ({ storage, folder }) => {
      await storage.writeText(`${folder}/a`, "0\n");
      const writer = storage.openWriter(`${folder}/a`);
      await Promise.all(["1 😀\n", "2\n", "3\n"].map((line) => writer.writeLine(line)));
      await writer.flush();
      await writer.fsync();
      assert.equal(await storage.readText(`${folder}/a`), "0\n1 😀\n2\n3\n");
      await writer.close();
    },
  },
  {
    ...{ id: "SST-021", clause, title: "A writer that replaces empties the file before its first line." },
    holds: async ({ storage, folder }) => {
      await storage.writeText(`${folder}/a`, "old\n");
      const writer = storage.openWriter(`${folder}/a`, { flags: "w" });
      await writer.writeLine("new\n");
      await writer.close();
      assert.equal(await storage.readText(`${folder}/a`), "new\n");
    },
  },
  {
    ...{ id: "SST-022", clause, title: "Two writers of one file lose no line of each other." },
    holds: async ({ storage, folder }) => {
      const writers = [storage.openWriter(`${folder}/a`), storage.openWriter(`${folder}/a`)];
      for (let round = 0; round < 10; round += 1) {
        for (const [who, writer] of writers.entries()) await writer.writeLine(`${who}-${round}\n`);
      }
      await Promise.all(writers.map((writer) => writer.close()));
      assert.equal(new Set((await storage.readText(`${folder}/a`)).trim().split("\n")).size, 20);
    },
  },
  {
    ...{ id: "SST-023", clause, title: "A writer follows a file that was replaced." },
    holds: async ({ storage, folder }) => {
      const writer = storage.openWriter(`${folder}/a`);
      await writer.writeLine("1\n");
      await storage.writeText(`${folder}/b`, "1\nother\n");
      await storage.rename(`${folder}/b`, `${folder}/a`);
      await writer.writeLine("2\n");
      await writer.close();
      assert.equal(await storage.readText(`${folder}/a`), "1\nother\n2\n");
    },
  },
  {
    ...{ id: "SST-024", clause, title: "Half a line is ended before the next." },
    holds: async ({ storage, folder }) => {
      await storage.writeText(`${folder}/a`, "whole\nhal");
      const writer = storage.openWriter(`${folder}/a`);
      await writer.writeLine("next\n");
      await writer.close();
      assert.equal(await storage.readText(`${folder}/a`), "whole\nhal\nnext\n");
    },
  },
  {
    ...{ id: "SST-026", clause, title: "A line without its line break gets one." },
    holds: async ({ storage, folder }) => {
      const writer = storage.openWriter(`${folder}/a`);
      for (const line of ["1", "2\n", "3"]) await writer.writeLine(line);
      await writer.close();
      assert.equal(await storage.readText(`${folder}/a`), "1\n2\n3\n");
    },
  },
  {
    ...{ id: "SST-025", clause, title: "The first error is told, stays, and is thrown by every later call." },
    holds: async ({ storage, folder }) => {
      const told: Error[] = [];
      const writer = storage.openWriter(`${folder}/a`, { onError: (error) => told.push(error) });
      await writer.writeLine("1\n");
      assert.equal(writer.getError(), undefined);
      await writer.close();
      await writer.close();
      const thrown = await writer.writeLine("2\n").catch((error: unknown) => error);
      assert.ok(thrown instanceof Error, "a line after the closing is an error");
      assert.equal(writer.getError(), thrown);
      assert.deepEqual(told, [thrown]);
      await assert.rejects(writer.flush(), thrown);
      assert.equal(await storage.readText(`${folder}/a`), "1\n");
    },
  },
];
