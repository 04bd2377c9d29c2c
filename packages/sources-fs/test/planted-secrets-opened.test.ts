// @module-tag process
// Verifies: SSOT 5.10, T6 (ignored files are never opened)
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { withStrace } from "../../../tools/strace.ts";
import { freshFolder } from "./support/folder.ts";

const packageUrl = import.meta.resolve("@cm/sources-fs");

const open = [
  "README.md",
  "src/main.ts",
  "src/deep/inner.ts",
  ".env.example",
  "keys/id_rsa.pub",
  "sub/kept.log",
  "tls/ca.crt",
];
/** Below a folder of its own each, so that a path tells which one was opened. */
const secret = [
  ".env",
  ".env.local",
  "id_rsa",
  "server.pem",
  "server.key",
  ".netrc",
  ".npmrc",
  ".aws/credentials",
  ".ssh/known",
  "credentials.json",
  "secrets.yaml",
  "store.p12",
  ".docker/config.json",
  "service-account.json",
];
const ignored = [
  "debug.log",
  "build/out.js",
  "build/deep/out.js",
  "sub/local/x.ts",
  "excluded.txt",
  "by-user/x.ts",
  ".git/config-of-ours",
];

withStrace("as the system sees it", () => {
  it("lists and observes a tree without opening one file that a rule names", () => {
    const { folder, root, closed } = plantedTree();
    const log = join(folder, "strace.log");
    const program = join(folder, "client.mjs");
    writeFileSync(program, clientProgram(root, [...open.map((path) => join(root, path)), ...closed]));

    const said = execFileSync("strace", [
      "-f",
      "-qq",
      "-s",
      "4096",
      "-e",
      "trace=open,openat,openat2",
      "-o",
      log,
      process.execPath,
      program,
    ]);

    const { listed, answers } = JSON.parse(said.toString());
    const trace = readFileSync(log, "utf8");
    const wasOpened = (path: string) => trace.includes(`${path.slice(root.length)}"`);
    expect(closed.filter(wasOpened)).toEqual([]);
    expect(open.filter((path) => !wasOpened(join(root, path)))).toEqual([]);
    expect(open.filter((path) => !listed.includes(join(root, path)))).toEqual([]);
    expect(closed.filter((path) => listed.includes(path))).toEqual([]);
    expect(answers).toEqual([...open.map(() => "present"), ...closed.map(() => "unreachable")]);
  });
});

function plantedTree(): { readonly folder: string; readonly root: string; readonly closed: readonly string[] } {
  const folder = freshFolder();
  const root = join(folder, "root");
  mkdirSync(root);
  execFileSync("git", ["init", "-q", root]);
  const closed = [
    ...secret.map((name, n) => join(root, `place-${n}`, name)),
    ...ignored.map((path) => join(root, path)),
  ];
  for (const path of [...open.map((name) => join(root, name)), ...closed]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "canary\n");
  }
  writeFileSync(join(root, ".gitignore"), "*.log\nbuild/\n");
  writeFileSync(join(root, "sub/.gitignore"), "!kept.log\nlocal/\n");
  writeFileSync(join(root, ".git/info/exclude"), "excluded.txt\n");
  return { folder, root, closed };
}

/** A whole client: lists the tree, then looks at every file that it is told, with text and for existence. */
function clientProgram(root: string, paths: readonly string[]): string {
  return `import { createFilesystemSource } from ${JSON.stringify(packageUrl)};
    const source = createFilesystemSource({ roots: [${JSON.stringify(root)}], ignore: { rules: ["by-user/"] } });
    const bounds = { contentBytesMax: 1000, deadlineMs: 30000 };
    const listed = [];
    for await (const batch of source.list()) listed.push(...batch);
    await source.observe(listed.map((binding) => ({ binding })), bounds);
    const bindings = await Promise.all(${JSON.stringify(paths)}.map((path) => source.bind(path)));
    await source.observe(bindings.map((binding) => ({ binding, want: "existence" })), bounds);
    const answers = await source.observe(bindings.map((binding) => ({ binding })), bounds);
    await source.close();
    console.log(JSON.stringify({ listed: listed.map(({ path }) => path), answers: answers.map(({ kind }) => kind) }));`;
}
