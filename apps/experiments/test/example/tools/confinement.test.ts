// @module-tag process
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runTool } from "../../../src/example/tools/run-tool.ts";
import type { ToolCall } from "../../../src/example/tools/tool.ts";
import { workingFolder } from "../working-folder.ts";

const folder = workingFolder();

/** Everything that a path can be given to. */
function callsOn(path: string): readonly ToolCall[] {
  return [
    { name: "read", args: { path } },
    { name: "grep", args: { pattern: "secret", path } },
    { name: "edit", args: { path, edits: [{ oldText: "secret", newText: "changed" }] } },
    { name: "write", args: { path, content: "changed" } },
  ];
}

describe("a path that leads out of the working folder", () => {
  const outside = {
    "goes up": () => "../outside.txt",
    "goes up after going down": () => "sub/../../outside.txt",
    "is absolute": () => folder.at("../outside.txt"),
    "is a link": () => "link.txt",
    "goes through a linked folder": () => "linked/outside.txt",
    "goes to a folder whose name begins like ours": () => "../workshop/outside.txt",
  };

  it.each(Object.entries(outside))("is refused by every tool where it %s", async (_title, path) => {
    await folder.file("../outside.txt", "secret");
    await folder.file("../workshop/outside.txt", "secret");
    await folder.file("sub/inside.txt", "");
    await folder.link("link.txt", folder.at("../outside.txt"));
    await folder.link("linked", folder.at(".."));

    const results = await Promise.all(callsOn(path()).map((call) => runTool(call, folder.workspace())));

    const refusal = { text: `Path is outside the working folder: ${path()}`, failed: true };
    expect(results).toEqual(results.map(() => refusal));
    expect(await folder.textOf("../outside.txt")).toBe("secret");
    expect(await folder.textOf("../workshop/outside.txt")).toBe("secret");
  });

  it("is told alike whether or not something is there", async () => {
    const result = await runTool({ name: "read", args: { path: "../gone.txt" } }, folder.workspace());

    expect(result.text).toBe("Path is outside the working folder: ../gone.txt");
  });

  it.each(["dangling.txt", "dangling-folder/new.txt"])("makes no file there: %s", async (path) => {
    await folder.link("dangling.txt", folder.at("../new.txt"));
    await folder.link("dangling-folder", folder.at("../new"));

    const result = await runTool({ name: "write", args: { path, content: "x" } }, folder.workspace());

    expect(result.failed).toBe(true);
    expect(existsSync(folder.at("../new.txt"))).toBe(false);
    expect(existsSync(folder.at("../new"))).toBe(false);
  });

  it("makes no folders below a linked one", async () => {
    await folder.link("linked", folder.at(".."));

    const result = await runTool(
      { name: "write", args: { path: "linked/new/a.txt", content: "x" } },
      folder.workspace(),
    );

    expect(result.failed).toBe(true);
    expect(existsSync(folder.at("../new"))).toBe(false);
  });
});

describe("a path that stays in the working folder", () => {
  it.each(["..name.txt", "sub/../..name.txt", "./link.txt"])("is followed: %s", async (path) => {
    await folder.file("..name.txt", "text");
    await folder.file("sub/other.txt", "");
    await folder.link("link.txt", "..name.txt");

    const result = await runTool({ name: "read", args: { path } }, folder.workspace());

    expect(result).toEqual({ text: "text", failed: false });
  });
});
