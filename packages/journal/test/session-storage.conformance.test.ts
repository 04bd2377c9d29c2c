// Verifies: session-storage/1, on a disk and in memory; each law catches the bug that is planted for it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plantedStorageBugs, runSuite, type SessionStorageFactory, sessionStorageSuite } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { FileSessionStorage, MemorySessionStorage } from "../src/index.ts";

const onDisk: SessionStorageFactory = async () => {
  const folder = mkdtempSync(join(tmpdir(), "cm-storage-"));
  const close = async () => rmSync(folder, { recursive: true, force: true });
  return { storage: new FileSessionStorage(), folder: `${folder}/own`, close };
};
const inMemory: SessionStorageFactory = async () => ({
  storage: new MemorySessionStorage(),
  folder: "/own",
  close: async () => undefined,
});

describe.each([
  ["on a disk", onDisk],
  ["in memory", inMemory],
])("the storage %s fulfils session-storage/1", (_where, open) => {
  for (const { id, clause, title, run } of sessionStorageSuite.cases) it(`${id} (${clause}) ${title}`, () => run(open));
});

describe("the suite of storages rejects every planted bug", () => {
  it.each(plantedStorageBugs)("$name", async ({ caughtBy, spoil }) => {
    const { results } = await runSuite(sessionStorageSuite, async () => {
      const subject = await inMemory();
      return { ...subject, storage: spoil(subject.storage) };
    });

    const broken = results.filter(({ outcome }) => outcome === "broken").map(({ id }) => id);
    expect(broken.filter((id) => caughtBy.includes(id)).sort()).toEqual([...caughtBy].sort());
  });

  it("and each of its laws catches one", () => {
    const caught = new Set(plantedStorageBugs.flatMap(({ caughtBy }) => caughtBy));

    expect(sessionStorageSuite.cases.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
  });
});
