// @module-tag process
// Verifies: SSOT 5.6 (discovered files), T16
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { discoverPaths } from "@cm/sources-fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const files = ["README.md", "Makefile", "src/main.ts", "src/deep/inner.ts", "src/deep/with space.ts", "docs/a.b.md"];

describe("paths in the output of real commands", () => {
  const cwd = mkdtempSync(join(tmpdir(), "cm-discovery-"));
  beforeAll(() => {
    for (const file of files) {
      mkdirSync(dirname(join(cwd, file)), { recursive: true });
      writeFileSync(join(cwd, file), "needle one\nother\nneedle two\n");
    }
    git("init", "-q", ".");
    git("add", "README.md", "src");
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "first");
    writeFileSync(join(cwd, "src/main.ts"), "needle changed\n");
  });
  afterAll(() => rmSync(cwd, { recursive: true, force: true }));

  function git(...args: readonly string[]): void {
    execFileSync("git", args, { cwd });
  }

  function found(command: string): readonly string[] {
    const { stdout, stderr } = spawnSync("sh", ["-c", command], {
      cwd,
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C" },
    });
    const candidates = discoverPaths({ tool: "bash", args: { command }, text: stdout + stderr, cwd });
    return files.filter((file) => candidates.includes(join(cwd, file)));
  }

  it.each([
    ["ls", ["README.md", "Makefile"]],
    ["ls -la", ["README.md", "Makefile"]],
    ["ls -l --time-style=long-iso src", ["src/main.ts"]],
    ["ls -F src/deep", ["src/deep/inner.ts", "src/deep/with space.ts"]],
    ["ls -R", files],
    ["ls -laR src docs", ["src/main.ts", "src/deep/inner.ts", "src/deep/with space.ts", "docs/a.b.md"]],
    ["cd src && ls deep", ["src/deep/inner.ts", "src/deep/with space.ts"]],
    ["find . -type f", files],
    ["find src -name '*.ts' | sort", ["src/main.ts", "src/deep/inner.ts", "src/deep/with space.ts"]],
    ['find "$PWD" -type f', files],
    ["grep -rn needle .", files],
    ["grep -rl needle src", ["src/main.ts", "src/deep/inner.ts", "src/deep/with space.ts"]],
    ["grep -rn -C1 two docs src/deep", ["src/deep/inner.ts", "src/deep/with space.ts", "docs/a.b.md"]],
    ["grep -rc needle docs", ["docs/a.b.md"]],
    ["git status", ["Makefile", "src/main.ts"]],
    ["git status --porcelain", ["Makefile", "src/main.ts"]],
    ["git diff --stat", ["src/main.ts"]],
    ["git diff", ["src/main.ts"]],
    ["git diff --name-status", ["src/main.ts"]],
    ["git ls-files", ["README.md", "src/main.ts", "src/deep/inner.ts", "src/deep/with space.ts"]],
    ["git ls-files -s", ["README.md", "src/main.ts", "src/deep/inner.ts", "src/deep/with space.ts"]],
    ["echo 'error in ./src/main.ts:1:5, see @docs/a.b.md'", ["src/main.ts", "docs/a.b.md"]],
  ])("are found after `%s`", (command, expected) => {
    expect(found(command)).toEqual(expected);
  });
});

describe("paths in the output of tools", () => {
  const cwd = "/home/ada";
  const cases: readonly [string, Parameters<typeof discoverPaths>[0], readonly string[]][] = [
    [
      "a glob tool",
      { tool: "Glob", args: { pattern: "**/*.ts" }, cwd, text: "/home/ada/a.ts\n/home/ada/b c.ts\n" },
      ["/home/ada/a.ts", "/home/ada/b c.ts"],
    ],
    [
      "a grep tool that names files",
      { tool: "Grep", args: {}, cwd, text: "Found 2 files\nsrc/a.ts\nsrc/b.ts" },
      ["/home/ada/src/a.ts", "/home/ada/src/b.ts"],
    ],
    [
      "a grep tool with headings",
      { tool: "grep", args: {}, cwd, text: "src/a.ts\n12:needle\n13-x\n\nsrc/b.ts\n1:needle" },
      ["/home/ada/src/a.ts", "/home/ada/src/b.ts"],
    ],
    [
      "a grep tool with context",
      { tool: "grep", args: {}, cwd, text: "src/a.ts-11- before\nsrc/a.ts:12: needle" },
      ["/home/ada/src/a.ts"],
    ],
    [
      "a tool that indents",
      { tool: "LS", args: { path: "/home/ada" }, cwd, text: "- /home/ada/\n  - src/\n    - main.ts\n  - README.md\n" },
      ["/home/ada/src/main.ts", "/home/ada/README.md"],
    ],
    [
      "a server's listing",
      { tool: "mcp__files__list_directory", args: { path: "/home/ada/src" }, cwd, text: "[FILE] a.ts\n[DIR] deep" },
      ["/home/ada/src/a.ts", "/home/ada/a.ts"],
    ],
    [
      "a listing of another folder",
      { tool: "ls", args: { path: "src" }, cwd, text: "main.ts\ndeep/\n" },
      ["/home/ada/src/main.ts", "/home/ada/main.ts"],
    ],
    [
      "tree",
      {
        tool: "bash",
        args: { command: "tree" },
        cwd,
        text: ".\n├── README.md\n└── src\n    ├── deep\n    │   └── a.ts\n    └── main.ts\n\n2 directories, 3 files\n",
      },
      [
        "/home/ada/README.md",
        "/home/ada/src",
        "/home/ada/src/deep",
        "/home/ada/src/deep/a.ts",
        "/home/ada/src/main.ts",
      ],
    ],
    [
      "a search of an older agent",
      {
        tool: "bash",
        args: { command: "search_dir foo" },
        cwd,
        text: 'Found 2 matches for "foo" in /home/ada:\n/home/ada/a.py (2 matches)\n',
      },
      ["/home/ada", "/home/ada/a.py"],
    ],
    [
      "colours",
      { tool: "bash", args: { command: "ls --color" }, cwd, text: "\u001b[0m\u001b[01;32mrun.sh\u001b[0m\n" },
      ["/home/ada/run.sh"],
    ],
  ];

  it.each(cases)("are found after %s", (_, output, expected) => {
    expect(discoverPaths(output)).toEqual(expected);
  });

  it("are not looked for in the text of a file or page", () => {
    expect(discoverPaths({ tool: "Read", args: { file_path: "a.ts" }, cwd, text: "import './b.ts';\n" })).toEqual([]);
    expect(discoverPaths({ tool: "WebFetch", args: {}, cwd, text: "see src/a.ts" })).toEqual([]);
  });

  it("are neither addresses, options nor versions", () => {
    const text = "curl https://host.example/a/b.ts --out=-x -f/g v1.2.3 1.2.3 100% ... // /* */ ~/.profile\n";

    expect(
      discoverPaths({ tool: "bash", args: { command: "make" }, cwd, text }).filter((path) => !path.endsWith("/g")),
    ).toEqual([]);
  });
});

describe("the bounds of discovery", () => {
  it("are at most a thousand paths, each of which the output names", () => {
    const text = Array.from({ length: 5_000 }, (_, n) => `dir${n % 7}/file-${n}.ts`).join("\n");

    const paths = discoverPaths({ tool: "bash", args: { command: "find ." }, cwd: "/w", text });

    expect(paths).toHaveLength(1_000);
    expect(paths.every((path) => text.includes(path.slice("/w/".length)))).toBe(true);
  });

  it("keep hostile output from costing more than its length", () => {
    const hostile = [
      "/".repeat(1_900),
      " ".repeat(1_900),
      ".".repeat(1_000),
      "a-1-".repeat(400),
      "│   ".repeat(400),
      ":".repeat(1_900),
    ];
    for (const command of ["ls -la", "tree", "grep x", "git diff --stat", "make"]) {
      const text = Array.from({ length: 3_000 }, (_, n) => `${hostile[n % hostile.length]}x`).join("\n");

      const paths = discoverPaths({ tool: "bash", args: { command }, cwd: "/w", text });

      expect(paths.length).toBeLessThanOrEqual(1_000);
    }
  });
});

it.each([
  ["constructor", {}],
  ["bash", { command: "cat > a.ts <<'END'\nclass A {\n  constructor (a) {}\n}\nEND" }],
])("names that every object has are no listing: %s", (tool, args) => {
  expect(discoverPaths({ tool, args, text: "src/a.ts", cwd: "/w" })).toEqual(["/w/src/a.ts"]);
});
