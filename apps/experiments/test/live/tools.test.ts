// @module-tag process
// Verifies: what a model may do with its tools, and that it cannot get out of its folder or at the key.
import type { SetCommand } from "@cm/context-log";
import type { ContextToolHost } from "@cm/context-tool";
import { describe, expect, it } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { canIsolate, shellFor } from "../../src/live/agent/isolation.ts";
import { runLiveTool } from "../../src/live/agent/run-tool.ts";
import { workingFolder } from "../example/working-folder.ts";

const folder = workingFolder();
const file = { id: "x", alias: "f1", kind: "file", path: "/shown/src/a.ts", text: "one\ntwo\n", charCount: 8 } as const;
const object = { ...file, level: "active", pinned: false } as const;
const unknown = { done: false, reason: "This session has met nothing of that name." } as const;
const commands: SetCommand[] = [];
const host: ContextToolHost = {
  async command(command) {
    commands.push(command);
    return command.id === "f1" ? { done: true, id: "x", changed: true } : unknown;
  },
  recall: async (id) => (["f1", "/shown/src/a.ts"].includes(id) ? { done: true, object } : unknown),
  list: async ({ pinned }) => ({ objects: pinned === true ? [] : [object] }),
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

  it("show, release, pin and list what the session keeps, and say which text stands whole in the answer", async () => {
    const shown = await run("cm_context", { id: "src/a.ts" });
    const pinned = await run("cm_context", { action: "pin", id: "f1" });
    const released = await run("cm_context", { action: "release", id: "f9" });
    const list = await run("cm_context", { action: "list" });

    expect(shown).toMatchObject({ failed: false, shows: ["x"], text: expect.stringContaining("one\ntwo") });
    expect([pinned, released].map(({ failed }) => failed)).toEqual([false, true]);
    expect(commands).toContainEqual({ action: "pin", id: "f1" });
    expect(list.text).toContain("f1 src/a.ts");
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
