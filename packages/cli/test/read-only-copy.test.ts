// @module-tag process
// Verifies: SSOT 3.7, F13, F14: a store where nothing may be written is looked at as any other, or says what to do.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { inProcess } from "./support/in-process.ts";
import { canBeReadOnly, readOnlyPlace } from "./support/read-only-place.ts";
import { sampleFolder } from "./support/sample-file.ts";

const sample = sampleFolder();

/** The store in a place of its own; its path there. */
function copied(...files: readonly string[]): string {
  const place = readOnlyPlace(files);
  if (place === undefined) throw new Error("no read-only place");
  onTestFinished(() => place.remove());
  return join(place.path, "objects.sqlite");
}

requirement("a folder that is read-only", canBeReadOnly)("a copy where nothing may be written", () => {
  const looks = [
    ["sessions"],
    ["show", "alpha"],
    ["show", "alpha", "f1"],
    ["files"],
    ["history", "notes.txt"],
    ["at", "alpha@1", "--prompt"],
    ["export", "alpha"],
    ["verify"],
  ];

  it.each(looks.map((args) => [args.join(" "), args] as const))("answers %s as the store itself", async (_, args) => {
    const copy = copied(sample.store);

    const there = await inProcess(["--store", copy, ...args]);
    const here = await inProcess(["--store", sample.store, ...args]);

    expect(there).toMatchObject({ status: 0 });
    expect(there).toEqual(here);
    expect(readdirSync(join(copy, ".."))).toEqual(["objects.sqlite"]);
    expect(readFileSync(copy).equals(readFileSync(sample.store))).toBe(true);
  });

  it("is warned of by doctor, which looks for no lock there", async () => {
    const { status, stdout } = await inProcess(["--store", copied(sample.store), "doctor"]);

    expect(status).toBe(0);
    expect(stdout).toMatch(/^warn {2}file: .* may not be written\n {6}Looking works, all else does not; /m);
    expect(stdout).not.toMatch(/^\w+ +lock:/m);
  });

  it("refuses commands that would write, in words for the user", async () => {
    const { status, stderr } = await inProcess(["--store", copied(sample.store), "fork", "alpha@0"]);

    expect(status).toBe(5);
    // SQLite tells a folder that may not be written from a file system that may not.
    expect(stderr).toMatch(
      /objects\.sqlite: The database .* check .* may be written\.\n$|may not be written here; check/,
    );
    expect(stderr).not.toContain("readOnly");
  });

  it("says what to do where the newest steps wait in a log that cannot be read", async () => {
    const open = new DatabaseSync(sample.store);
    open.exec("CREATE TABLE waits(x); DROP TABLE waits");
    const copy = copied(sample.store, `${sample.store}-wal`);
    open.close();

    for (const command of ["sessions", "verify"]) {
      const { status, stdout, stderr } = await inProcess(["--store", copy, command]);

      expect([status, stdout]).toEqual([5, ""]);
      expect(stderr).toMatch(
        /What was written last is in the log beside the database .* copy both files into a folder/,
      );
    }
  });
});
