import { mkdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/example/limits.ts";
import { copySources } from "../../src/example/working-copy.ts";
import { workingFolder } from "./working-folder.ts";

const folder = workingFolder();

async function copy() {
  await mkdir(folder.at("../copy"));
  return copySources(folder.at("."), folder.at("../copy"));
}

describe("copying sources", () => {
  it("takes source files in the order of their paths", async () => {
    await folder.file("b.ts", "one\ntwo\n");
    await folder.file("a/z.md", "é");
    await folder.file("B.js", "");

    const files = await copy();

    expect(files).toEqual([
      { path: "B.js", chars: 0, lines: 1 },
      { path: "a/z.md", chars: 1, lines: 1 },
      { path: "b.ts", chars: 8, lines: 3 },
    ]);
    expect(await folder.textOf("../copy/a/z.md")).toBe("é");
  });

  it("leaves behind what is not source, what is built, what is hidden, and links", async () => {
    await folder.file("a.ts", "");
    await folder.file("b.bin", "");
    await folder.file("c.ts", new Uint8Array([0]));
    await folder.file("large.ts", "x".repeat(limits.fileBytesMax + 1));
    await folder.file(".env.js", "");
    await folder.file(".git/a.ts", "");
    await folder.file("dist/a.ts", "");
    await folder.file("node_modules/p/a.ts", "");
    await folder.file("../outside.ts", "");
    await folder.link("link.ts", folder.at("../outside.ts"));
    await folder.link("linked", folder.at(".."));

    const files = await copy();

    expect(files.map(({ path }) => path)).toEqual(["a.ts"]);
  });

  it("stops at the limit on files", async () => {
    for (let index = 0; index <= limits.filesMax; index++) await folder.file(`${index}.ts`, "");

    expect(await copy()).toHaveLength(limits.filesMax);
  });

  it("leaves behind what is more than all files may hold together, or nested too deep", async () => {
    const files = limits.folderBytesMax / limits.fileBytesMax;
    for (let index = 0; index < files; index++) await folder.file(`a${index}.ts`, "x".repeat(limits.fileBytesMax));
    await folder.file("b.ts", "x");
    await folder.file(`${"c/".repeat(limits.folderDepthMax)}empty.ts`, "");
    await folder.file(`${"c/".repeat(limits.folderDepthMax + 1)}empty.ts`, "");

    const copied = await copy();

    expect(copied).toHaveLength(files + 1);
    expect(copied.at(-1)?.path.split("/")).toHaveLength(limits.folderDepthMax + 1);
  });

  it("refuses a folder without sources, and one that is not there", async () => {
    const expected = { code: "example/no-sources" };
    await expect(copySources(folder.at("."), folder.at("copy"))).rejects.toMatchObject(expected);
    await expect(copySources(folder.at("gone"), folder.at("copy"))).rejects.toMatchObject(expected);
  });
});
