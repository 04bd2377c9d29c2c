import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { requirement } from "../requirement.ts";
import { setDisk } from "./disk-control.ts";

const source = join(import.meta.dirname, "failing-disk.c");

/** For tests that fail or kill a program at a write of their choice: a library in front of it, compiled when needed. */
export const withFailingDisk = requirement(
  "Linux and a C compiler",
  () => process.platform === "linux" && spawnSync("cc", ["--version"], { stdio: "ignore" }).status === 0,
);

/** The disk below a folder, for programs that are started with `env`: told through `control`, see `setDisk`. */
export interface FailingDisk {
  readonly control: string;
  readonly env: Readonly<Record<string, string>>;
}

/** `work` is for files of its own, and not below the folder. */
export function failingDisk(folder: string, work: string): FailingDisk {
  const library = join(work, "failing-disk.so");
  const compiled = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], { encoding: "utf8" });
  if (compiled.status !== 0) throw new Error(`${source} does not compile: ${compiled.stderr}`);
  const control = join(work, "failing-disk.control");
  setDisk(control, undefined);
  return { control, env: { LD_PRELOAD: library, CM_DISK_FOLDER: realpathSync(folder), CM_DISK_CONTROL: control } };
}
