// Verifies: SSOT 5.10 (rules under roots that are wider than a project)
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ignoreRules } from "@cm/sources-fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cm-rules-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text = ""): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const rulesOf = (rules: readonly string[] = []) => {
  let clockMs = 0;
  const found = ignoreRules({ roots: ["/"], gitignore: "nearest", rules }, () => clockMs);
  return {
    ignored: (path: string) => found.ignored(join(root, path)),
    later: () => {
      clockMs += 1_000;
    },
  };
};

describe("rules of the nearest work tree", () => {
  it("close what git ignores in it, below a root that is wider", () => {
    write("project/.git/info/exclude", "notes\n");
    write("project/.gitignore", "dist/\n");

    const { ignored } = rulesOf();

    expect(["dist/a.js", "notes", ".env", "src/a.ts"].map((path) => ignored(`project/${path}`))).toEqual([
      "gitignore",
      "gitignore",
      "secret-file .env*",
      undefined,
    ]);
  });

  it("do not count outside of every work tree, where git knows none", () => {
    write(".gitignore", "*\n");

    const { ignored } = rulesOf();

    expect(ignored("project/a.ts")).toBeUndefined();
  });

  it("count in place of those of a work tree around it that ignores it", () => {
    write(".git/HEAD");
    write(".gitignore", "*\n");
    write("work/project/.git", "gitdir: elsewhere\n");
    write("work/project/.gitignore", "dist/\n");

    const { ignored } = rulesOf();

    expect(["work/project/a.ts", "work/project/dist/a.js", "work/a.ts"].map(ignored)).toEqual([
      undefined,
      "gitignore",
      "gitignore",
    ]);
  });

  it("open nothing that is closed for more than git's rules", () => {
    write(".git/HEAD");
    write(".gitignore", "*\n");
    for (const folder of [".ssh", ".ssh/keys", "closed/project", ".git/project"]) write(`${folder}/.git/HEAD`);

    const { ignored } = rulesOf(["closed/"]);

    expect(ignored(".ssh/config")).toBeDefined();
    expect(ignored(".ssh/keys/a")).toBeDefined();
    expect(ignored("closed/project/a.ts")).toBe("user-rule");
    expect(ignored(".git/project/a")).toBe("git-folder");
  });

  it("begin to count when a folder becomes a work tree", () => {
    write("project/.gitignore", "dist/\n");
    const { ignored, later } = rulesOf();

    const before = ignored("project/dist/a.js");
    write("project/.git/HEAD");
    later();

    expect([before, ignored("project/dist/a.js")]).toEqual([undefined, "gitignore"]);
  });
});
