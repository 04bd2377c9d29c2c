import { describe, expect, it } from "vitest";
import { write } from "../../../src/example/tools/write.ts";
import { workingFolder } from "../working-folder.ts";

const folder = workingFolder();

describe("write", () => {
  it("makes a file and its folders, and replaces what was there", async () => {
    const made = await write({ path: "new/deep/a.ts", content: "one" }, folder.workspace());
    await write({ path: "new/deep/a.ts", content: "2" }, folder.workspace());

    expect(made).toEqual({ text: "Successfully wrote to new/deep/a.ts", failed: false });
    expect(await folder.textOf("new/deep/a.ts")).toBe("2");
  });

  it("fails where a folder stands in the way", async () => {
    await folder.file("sub/a.ts", "");

    const result = await write({ path: "sub", content: "one" }, folder.workspace());

    expect(result).toEqual({ text: "Cannot write sub: EISDIR", failed: true });
  });
});
