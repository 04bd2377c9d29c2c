import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/**
 * A second process that runs this program over and over until the test ends. `program` is the body of a loop in plain
 * JavaScript, with `fs` and `path` of Node and these `values`. Resolves when it has run once.
 */
export async function besides(program: string, values: Readonly<Record<string, string>>): Promise<void> {
  const text = `
    import fs from "node:fs";
    import path from "node:path";
    const { ${Object.keys(values).join(", ")} } = JSON.parse(process.argv[1]);
    for (let n = 0; ; n += 1) {
      ${program}
      if (n === 0) process.stdout.write("ready");
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", text, JSON.stringify(values)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => end(child));
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  if (child.exitCode !== null) throw new Error("The second process ended early.");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
