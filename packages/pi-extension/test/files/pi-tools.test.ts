// Verifies: SSOT 5.6, with what Pi's own tools say
import { join } from "node:path";
import {
  createBashTool,
  createEditTool,
  createLsTool,
  createReadTool,
  createWriteTool,
} from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import type { ToolCall } from "../../src/files/recorded-touch.ts";
import { touchesOf } from "../../src/files/touches-of-call.ts";
import { folderWith } from "./session-files.ts";

interface PiTool {
  readonly name: string;
  execute(id: string, args: never): Promise<{ readonly content: readonly object[]; readonly details?: unknown }>;
}

/** The call with what the tool itself answers; a tool that throws has failed, as in Pi. */
async function run(tool: PiTool, args: ToolCall["args"]): Promise<ToolCall> {
  try {
    const { content, details } = await tool.execute("call_1", args as never);
    const text = content.map((block) => ("text" in block ? String(block.text) : "")).join("\n");
    return { tool: tool.name, args, text, failed: false, details };
  } catch (error) {
    return { tool: tool.name, args, text: error instanceof Error ? error.message : "", failed: true };
  }
}

const lines = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n + 1}`).join("\n");

describe("what Pi's own tools say", () => {
  it("gives the lines that a read showed", async () => {
    const top = folderWith({
      "short.txt": lines(9),
      "long.txt": lines(5_000),
      "wide.txt": "x".repeat(80_000),
      "empty.txt": "",
    });
    const read = async (args: ToolCall["args"]) => {
      const [touch] = touchesOf(await run(createReadTool(top), args), { cwd: top, home: top });
      return touch === undefined
        ? "nothing"
        : touch.span === undefined
          ? "no lines"
          : Object.values(touch.span).join("-");
    };

    expect(await read({ path: "short.txt" })).toBe("1");
    expect(await read({ path: "@short.txt", offset: 4 })).toBe("4");
    expect(await read({ path: "short.txt", offset: 4, limit: 2 })).toBe("4-5");
    expect(await read({ path: "short.txt", limit: 90 })).toBe("1");
    expect(await read({ path: "long.txt" })).toBe("1-2000");
    expect(await read({ path: "long.txt", offset: 1_001 })).toBe("1001-3000");
    expect(await read({ path: "wide.txt" })).toBe("no lines");
    expect(await read({ path: "empty.txt" })).toBe("1");
    expect(await read({ path: "gone.txt" })).toBe("nothing");
    expect(await read({ path: "short.txt", offset: 99 })).toBe("nothing");
  });

  it("tells edits that were made from those that were not", async () => {
    const top = folderWith({ "a.ts": "const a = 1;\n" });
    const edit = (oldText: string) => ({ path: "a.ts", edits: [{ oldText, newText: "b" }] });
    const as = async (tool: PiTool, args: ToolCall["args"]) =>
      touchesOf(await run(tool, args), { cwd: top, home: top }).map((touch) => touch.as);

    expect(await as(createEditTool(top), edit("a = 1"))).toEqual(["edited"]);
    expect(await as(createEditTool(top), edit("missing"))).toEqual(["discovered"]);
    expect(await as(createWriteTool(top), { path: "new/b.ts", content: "b" })).toEqual(["edited"]);
    expect(await as(createWriteTool(top), { path: "a.ts/b.ts", content: "b" })).toEqual(["discovered"]);
  });

  it("gives the files of a listing, and none from its remarks", async () => {
    const top = folderWith({ "src/a.ts": "", "src/b.ts": "", "src/c.ts": "", "src/sub/d.ts": "" });

    const call = await run(createLsTool(top), { path: "src", limit: 2 });

    expect(call.text).toContain("limit reached");
    expect(touchesOf(call, { cwd: top, home: top }).map(({ path }) => path)).toEqual(
      ["a.ts", "b.ts"].map((name) => join(top, "src", name)),
    );
  });

  it("gives paths of a long output that failed, and not the file that holds all of it", async () => {
    const top = folderWith({});

    const call = await run(createBashTool(top), { command: "printf '%s\\n' {1..3000}; echo wrote out/b.o; exit 3" });

    expect([call.failed, /Full output: \S+\.log/.test(call.text)]).toEqual([true, true]);
    expect(touchesOf(call, { cwd: top, home: top })).toEqual([{ path: join(top, "out/b.o"), as: "discovered" }]);
  });
});
