// @module-tag process
// Verifies: `npm test` does not run again what has passed as it is, and runs what an edit leads to.
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keepTested, untestedProjects, workingState } from "./untested-projects.mjs";
import { root } from "./workspace.ts";

const folder = mkdtempSync(join(tmpdir(), "cm-untested-test-"));
const file = (path: string): string => join(folder, path);

/** A workspace of two packages, of which one uses the other, with the configuration of this one. */
beforeAll(() => {
  for (const path of ["nx.json", "package.json", "tools/nx-tested.mjs", "tools/tested.mjs"]) {
    cpSync(join(root, path), file(path));
  }
  writeFileSync(file("pnpm-workspace.yaml"), "packages:\n  - packages/*\n");
  writeFileSync(file(".gitignore"), "node_modules\n.nx\n");
  for (const [name, dependencies] of [
    ["below", {}],
    ["above", { "@t/below": "workspace:^" }],
  ] as const) {
    mkdirSync(file(`packages/${name}/src`), { recursive: true });
    mkdirSync(file(`packages/${name}/test`));
    writeFileSync(
      file(`packages/${name}/package.json`),
      JSON.stringify({ name: `@t/${name}`, version: "1.0.0", dependencies }),
    );
    writeFileSync(file(`packages/${name}/src/index.ts`), "export {};\n");
    writeFileSync(file(`packages/${name}/test/one.test.ts`), "export {};\n");
  }
  symlinkSync(join(root, "node_modules"), file("node_modules"), "junction");
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("names all at first, none that passed, and what an edit leads to", () => {
  const first = untestedProjects(folder);
  keepTested(folder, first ?? []);
  const passed = untestedProjects(folder);
  appendFileSync(file("packages/below/test/one.test.ts"), "// changed\n");
  const testBelow = untestedProjects(folder);
  appendFileSync(file("packages/below/src/index.ts"), "// changed\n");
  const sourceBelow = untestedProjects(folder);
  keepTested(folder, sourceBelow ?? []);
  writeFileSync(file("CONTRIBUTING.md"), "What no package reads.\n");
  const document = untestedProjects(folder);

  expect(first).toEqual(["@t/above", "@t/below", "tools"]);
  expect(passed).toEqual([]);
  expect(testBelow).toEqual(["@t/below", "tools"]);
  expect(sourceBelow).toEqual(["@t/above", "@t/below", "tools"]);
  expect(document).toEqual(["tools"]);
});

it("knows that the fast tests passed, alone or among all", () => {
  appendFileSync(file("packages/above/src/index.ts"), "// changed\n");
  const changed = untestedProjects(folder, "fast") ?? [];
  keepTested(folder, changed, "fast");
  const fast = untestedProjects(folder, "fast");
  const all = untestedProjects(folder) ?? [];
  appendFileSync(file("packages/above/src/index.ts"), "// changed again\n");
  keepTested(folder, all);

  expect(changed).toContain("@t/above");
  expect(fast).toEqual([]);
  expect(all).toContain("@t/above");
  expect(untestedProjects(folder, "fast")).toEqual([]);
});

it("sees an edit that comes while tests run", () => {
  const before = workingState(folder);
  const same = workingState(folder);
  appendFileSync(file("packages/above/src/index.ts"), "// while they run\n");

  expect(same).toBe(before);
  expect(workingState(folder)).not.toBe(before);
});
