// @module-tag process
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { progressBar } from "../../src/progress/progress-bar.ts";

const program = join(import.meta.dirname, "support", "progress-run.ts");

function run(...words: string[]): { readonly out: unknown; readonly shown: string } {
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: "utf8" });
  return { out: JSON.parse(stdout), shown: stderr };
}

const showCursor = "\u001b[?25h";
const hideCursor = "\u001b[?25l";

describe("the bar", () => {
  it("shows share and calls", () => {
    expect(progressBar("a.jsonl log", 204, 453)).toBe("[#########...........]  45 %  a.jsonl log  204/453 calls");
  });

  it("is full at the end only, and where there is nothing to do", () => {
    expect(progressBar("t", 1_999, 2_000)).toBe("[###################.]  99 %  t  1,999/2,000 calls");
    expect(progressBar("t", 0, 0)).toBe("[####################] 100 %  t  0/0 calls");
  });
});

describe("progress in a pipe", () => {
  it("is a plain line on stderr for each finished task", () => {
    const { out, shown } = run();

    expect(shown).toBe("a.jsonl plain  1,453/1,453 calls\nb.jsonl log  4/4 calls\n\\u{1b}[2J\\u{202e}  1/1 calls\n");
    expect(out).toEqual({ results: ["a.jsonl plain", "b.jsonl log", "\u001b[2J\u202e"] });
  });

  it("ends with the task that fails, whose exception is passed on unchanged", () => {
    const { out, shown } = run("fail");

    expect(shown).toBe("a.jsonl plain  1,453/1,453 calls\n");
    expect(out).toEqual({ thrown: "out of paper" });
  });
});

describe("progress in a terminal", () => {
  it("is a bar for each task on stderr, not drawn for every call", () => {
    const { out, shown } = run("terminal");

    const text = stripVTControlCharacters(shown);
    expect(text).toContain("[####################] 100 %  a.jsonl plain  1,453/1,453 calls");
    expect(text).toContain("[####################] 100 %  b.jsonl log  4/4 calls");
    expect(shown).not.toContain("\u001b[2J");
    expect(text.split("a.jsonl plain").length).toBeLessThan(100);
    expect(out).toEqual({ results: ["a.jsonl plain", "b.jsonl log", "\u001b[2J\u202e"] });
  });

  it("ends with the task that fails, whose exception is passed on unchanged, and shows the cursor again", () => {
    const { out, shown } = run("terminal", "fail");

    expect(out).toEqual({ thrown: "out of paper" });
    expect(stripVTControlCharacters(shown)).toContain("b.jsonl log  2/4 calls");
    expect(stripVTControlCharacters(shown)).not.toContain("u{202e}");
    expect(shown.lastIndexOf(showCursor)).toBeGreaterThan(shown.lastIndexOf(hideCursor));
  });

  it("lets Ctrl-C end the process as ever, and shows the cursor again", () => {
    const { stderr, signal } = spawnSync(process.execPath, [program, "terminal", "interrupt"], { encoding: "utf8" });

    expect(signal).toBe("SIGINT");
    expect(stderr).toContain(hideCursor);
    expect(stderr.lastIndexOf(showCursor)).toBeGreaterThan(stderr.lastIndexOf(hideCursor));
  });
});
