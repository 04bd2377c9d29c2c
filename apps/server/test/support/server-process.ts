import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { over } from "./running-server.ts";

const program = fileURLToPath(new URL("../../dist/cm-server.js", import.meta.url));

export interface ServerProcess extends ReturnType<typeof over> {
  readonly url: string;
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  /** What it wrote to its log. */
  readonly log: () => string;
  kill(): Promise<void>;
}

/** A server as users start it, in a process of its own. */
export async function serverProcess(
  folder: string,
  presets: object,
  args: readonly string[] = [],
): Promise<ServerProcess> {
  writeFileSync(join(folder, "presets.json"), JSON.stringify(presets));
  const places = ["--store", join(folder, "cm.db"), "--states", join(folder, "states"), "--root", folder];
  const child = spawn(process.execPath, [program, "--port", "0", ...places, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stderr?.on("data", (data) => {
    log += String(data);
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const url = await new Promise<string>((resolve, reject) => {
    let out = "";
    child.stdout?.on("data", (data) => {
      out += String(data);
      const found = /listens on (\S+)/.exec(out)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then((code) => reject(new Error(`The server ended with ${code}: ${log}`)));
  });
  return {
    ...{ ...over(url), url, child, exited, log: () => log },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
