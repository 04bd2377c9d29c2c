import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./workspace.ts";

/** Runs vitest with our reporter on one test file of the given text, in which `describe`, `it` and `expect` are there. */
export async function innerRun(text: string, variables: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "cm inner "));
  writeFileSync(join(folder, "inner.test.ts"), text);
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter", "default", "--reporter", join(root, "tools", "closing-line.ts")];
  const args = [vitest, "run", "--root", folder, "--globals", ...reporters];
  // The run outside must not lend its own variables to the one inside.
  const env = { ...process.env, CM_REQUIRE_ALL: "", NO_COLOR: "1", FORCE_COLOR: "0", ...variables };
  const { status, stdout, stderr } = await new Promise<{ status: number; stdout: string; stderr: string }>(
    (resolve) => {
      execFile(process.execPath, args, { cwd: root, env }, (error, out, err) =>
        resolve({ status: error === null ? 0 : Number(error.code), stdout: out, stderr: err }),
      );
    },
  );
  rmSync(folder, { recursive: true, force: true });
  return { status, output: stdout + stderr, lastLine: stdout.trimEnd().split("\n").at(-1) };
}
