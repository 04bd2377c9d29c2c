import { spawn } from "node:child_process";
import { join } from "node:path";

const home = join(import.meta.dirname, "../..");

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of modules in a process of its own, as a user of this package would, until it ends by itself. */
export async function runProgram(program: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: home,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}
