// @module-tag process
// Verifies: tuning and reporting on different recordings, split without a free choice.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashOfFiles } from "../../src/replay/file-hashes.ts";
import { halfOf } from "../../src/replay/halves.ts";
import { inFolder } from "../support/command.ts";

describe("the halves", () => {
  it("follow the second digit of the file's hash", () => {
    const digits = [..."0123456789abcdef"];

    expect(digits.map((digit) => halfOf({ sha256: `f${digit}` }))).toEqual(
      digits.map((_, place) => (place % 2 === 0 ? "tune" : "report")),
    );
  });
});

describe("hashes of an experiment's files", () => {
  it("are those of their bytes, each file once, in order of names", async () => {
    await inFolder(async (folder) => {
      writeFileSync(join(folder, "b.md"), "abc");
      writeFileSync(join(folder, "a.md"), "");

      expect(await hashOfFiles(folder, ["b.md", "a.md", "b.md"])).toEqual([
        { file: "a.md", sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
        { file: "b.md", sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
      ]);
    });
  });
});
