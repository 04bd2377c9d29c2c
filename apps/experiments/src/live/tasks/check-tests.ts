import { mkdtemp } from "node:fs/promises";
import { basename, join } from "node:path";
import { bash } from "../../example/tools/bash.ts";
import type { Workspace } from "../../example/tools/tool.ts";
import { limits } from "../limits.ts";
import type { Verdict } from "./check-answer.ts";
import { type FileTree, writeTree } from "./task-files.ts";

/**
 * Copies the check's tests into the working copy, under an unpredictable name, and runs them. The number of passed
 * tests must be exact: code that ends the process before they run passes none.
 */
export async function checkTests(files: FileTree, passes: number, workspace: Workspace): Promise<Verdict> {
  const folder = await mkdtemp(join(workspace.root, "check-"));
  await writeTree(files, folder);
  const names = [...files.keys()].filter((path) => /\.test\.m?js$/.test(path)).map((path) => `'${path}'`);
  const command = `cd ${basename(folder)} && node --test --test-reporter=tap ${names.join(" ")}`;
  const { text } = await bash({ command, timeout: limits.checkSecondsMax }, workspace);
  const passed = lastCount(text, "pass");
  const solved = passed === passes && lastCount(text, "fail") === 0;
  return { solved, why: passed === undefined ? "the tests did not run" : `${passed} of ${passes} tests pass` };
}

/** The runner's own sums stand last: what tested code prints comes before them. */
function lastCount(tap: string, name: "pass" | "fail"): number | undefined {
  const found = [...tap.matchAll(new RegExp(`^# ${name} ([0-9]+)$`, "gm"))].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}
