// Verifies: T18: no commit is acknowledged into a file that can no longer be opened, and the file is readable for its
// owner only.
import { renameSync, rmSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { toolcall } from "./support/documents.ts";
import { freshPath } from "./support/folder.ts";

const call = toolcall("call", "text");
const later = toolcall("later", "text");

describe("a store whose file", () => {
  it.each([
    ["was deleted", (path: string) => rmSync(path), /was moved or deleted/],
    ["was moved", (path: string) => renameSync(path, `${path}.moved`), /was moved or deleted/],
    [
      "was replaced",
      (path: string) => {
        renameSync(path, `${path}.moved`);
        void openSqliteStore({ path }).close();
      },
      /was replaced by another file/,
    ],
  ])("%s takes nothing more, and says why", async (_, change, said) => {
    const path = freshPath();
    const store = openSqliteStore({ path });
    await store.commit([{ document: call, expect: "absent" }]);
    change(path);

    const commit = store.commit([{ document: later, expect: "absent" }]);

    await expect(commit).rejects.toMatchObject({ code: "store/unavailable", message: expect.stringMatching(said) });
    await expect(store.erase(["call"], "test")).rejects.toMatchObject({ code: "store/unavailable" });
    await store.close();
  });

  it("is made is for its owner alone, with what lies beside it", async () => {
    const path = freshPath();
    const store = openSqliteStore({ path });
    await store.commit([{ document: call, expect: "absent" }]);

    const modes = ["", "-wal", "-shm"].map((suffix) => (statSync(`${path}${suffix}`).mode & 0o777).toString(8));

    expect(modes).toEqual(["600", "600", "600"]);
    await store.close();
  });
});

it("a clock that gives no time is refused before anything is written", async () => {
  let time = Number.NaN;
  const store = openSqliteStore({ path: ":memory:", now: () => time });

  const commit = store.commit([{ document: call, expect: "absent" }]);

  await expect(commit).rejects.toMatchObject({ code: "store/unavailable", message: expect.stringContaining("clock") });
  time = 1_000;
  expect((await store.getMany(["call"])).size).toBe(0);
  await store.close();
});
