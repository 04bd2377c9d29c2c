// Verifies: what a model may do with its tools, and that it cannot get out of its folder or at the key.
import type { CommandOutcome, ObjectList, SetCommand } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { canIsolate, shellFor } from "../../src/live/agent/isolation.ts";
import { runLiveTool } from "../../src/live/agent/run-tool.ts";
import { workingFolder } from "../example/working-folder.ts";

const folder = workingFolder();
const commands: SetCommand[] = [];
const host = {
  async command(command: SetCommand): Promise<CommandOutcome> {
    commands.push(command);
    return command.id === "f1" ? { done: true, id: "x", changed: true } : { done: false, reason: "There is no f9." };
  },
  async list(): Promise<ObjectList> {
    const file = { id: "x", alias: "f1", kind: "file", path: "/task/a\nb", text: "t", charCount: 3 } as const;
    return { objects: [{ ...file, level: "active", pinned: true }], next: "50" };
  },
};
const run = (tool: string, args: Record<string, string | number>) =>
  runLiveTool(tool, args, { workspace: folder.workspace(), host });

describe("a model's tools", () => {
  it("know a file by its own path and by the one that prompts show", async () => {
    await folder.file("src/a.txt", "text\n");

    const texts = [await run("read", { path: "src/a.txt" }), await run("read", { path: "/shown/src/a.txt" })];

    expect(texts.map(({ text }) => text)).toEqual(["text\n", "text\n"]);
    expect((await run("ls", { path: "/shown" })).text).toBe("src/");
  });

  it.each([
    ["read", { path: "../outside.txt" }],
    ["read", { path: "/shown/../outside.txt" }],
    ["ls", { path: ".." }],
    ["ls", { path: "link" }],
    ["write", { path: "link/new.txt", content: "x" }],
    ["grep", { pattern: "x", path: "/etc" }],
  ])("stay in the folder: %s %o", async (tool, args) => {
    await folder.link("link", "..");

    expect(await run(tool, args)).toMatchObject({ failed: true, text: expect.stringMatching(/outside|not found/i) });
  });

  it.each([
    ["fly", {}],
    ["read", { path: 7 }],
    ["read", { malformed: '{"path": "a' }],
    ["edit", { path: "a" }],
  ])("say what is wrong with a call: %s %o", async (tool, args) => {
    const result = await run(tool, args as Record<string, string>);

    expect(result).toMatchObject({ failed: true, text: expect.stringMatching(/no tool of this name|are wrong/) });
  });

  it("fetch back and put away what the session keeps, and list it in lines", async () => {
    const outcomes = [await run("activate", { id: "f1" }), await run("pin", { id: "f9" })];
    const list = await run("list_objects", { kind: "file" });

    expect(outcomes.map(({ failed }) => failed)).toEqual([false, true]);
    expect(commands).toEqual([
      { action: "activate", id: "f1" },
      { action: "pin", id: "f9" },
    ]);
    expect(list.text).toBe('f1 file "/task/a\\nb" 3 chars active pinned\n\n[More with cursor=50.]');
  });
});

requirement("unshare", canIsolate)("a model's command", () => {
  it("runs without network, and without a look at other processes", async () => {
    const workspace = { ...folder.workspace(), shell: shellFor("none") };

    const { text } = await runLiveTool(
      "bash",
      { command: `tail -n +3 /proc/net/dev | wc -l; cat /proc/${process.pid}/environ` },
      { workspace, host },
    );

    expect(text).toMatch(/^1\n/);
    expect(text).toMatch(/No such file|denied/);
  });
});
