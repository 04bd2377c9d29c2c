import { describe, expect, it } from "vitest";
import { limits } from "../../../src/example/limits.ts";
import { edit } from "../../../src/example/tools/edit.ts";
import { workingFolder } from "../working-folder.ts";

const folder = workingFolder();

describe("edit", () => {
  it("replaces several blocks, whatever their order and their characters", async () => {
    await folder.file("a.ts", "one\r\ntwo\r\nthree\r\n");

    const edits = [
      { oldText: "three", newText: "$& $1 3" },
      { oldText: "one\r\n", newText: "" },
    ];
    const result = await edit({ path: "a.ts", edits }, folder.workspace());

    expect(result).toEqual({ text: "Successfully replaced 2 block(s) in a.ts.", failed: false });
    expect(await folder.textOf("a.ts")).toBe("two\r\n$& $1 3\r\n");
  });

  const notFound = "The old text must match exactly including all whitespace and newlines.";
  const notUnique = "The text must be unique. Please provide more context to make it unique.";
  it.each([
    ["is not there", ["three"], `Could not find the exact text in a.ts. ${notFound}`],
    ["is empty", [""], `Could not find the exact text in a.ts. ${notFound}`],
    ["stands twice", ["o\n"], `Found 2 occurrences of the exact text in a.ts. ${notUnique}`],
    ["stands twice, one over the other", ["aa"], `Found 2 occurrences of the exact text in a.ts. ${notUnique}`],
    ["is not there, in one edit of two", ["two", "three"], `Could not find edits[1] in a.ts. ${notFound}`],
    ["overlaps another", ["two\no", "o\naaa"], "Found edits that overlap in a.ts. Merge them into one edit."],
    ["is given for too many edits", Array(limits.editsMax + 1).fill("two"), /^Found 51 edits in a\.ts\./],
    ["is not given", [], /^Found 0 edits in a\.ts\./],
  ])("changes nothing where an old text %s", async (_title, oldTexts: string[], text) => {
    const content = "two\no\naaa\n";
    await folder.file("a.ts", content);

    const edits = oldTexts.map((oldText) => ({ oldText, newText: "new" }));
    const result = await edit({ path: "a.ts", edits }, folder.workspace());

    expect(result).toEqual({ text: typeof text === "string" ? text : expect.stringMatching(text), failed: true });
    expect(await folder.textOf("a.ts")).toBe(content);
  });

  it("fails where the new text is the old one, and where there is no file", async () => {
    await folder.file("a.ts", "one");

    const same = await edit({ path: "a.ts", edits: [{ oldText: "one", newText: "one" }] }, folder.workspace());
    const gone = await edit({ path: "gone.ts", edits: [{ oldText: "a", newText: "b" }] }, folder.workspace());

    expect(same).toEqual({ text: "No changes made to a.ts. The replacement is the same text.", failed: true });
    expect(gone).toEqual({ text: "File not found: gone.ts", failed: true });
  });
});
