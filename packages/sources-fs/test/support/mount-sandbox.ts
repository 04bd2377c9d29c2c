import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hasPrograms } from "../../../../tools/has-programs.ts";

export interface MountSandbox {
  /** On the host: hidden in the sandbox. */
  readonly folder: string;
  /** On the host: `/workspace` in the sandbox. */
  readonly project: string;
  /** The sandbox's mounts as the host reads them. */
  readonly mountinfo: string;
  /** Runs a module in the sandbox and reads its output as JSON. */
  run(module: URL, ...args: readonly string[]): unknown;
  close(): Promise<void>;
}

/** Whether this process may make mount namespaces, and has what the sandbox is made with. */
export function canUnshare(): boolean {
  if (!hasPrograms("unshare", "nsenter", "mount", "chroot", "sh", "cp", "mkdir", "cat")) return false;
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "probe", tmpdir()], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A process in a real mount namespace, with SSOT 5.3's example: a project of the host as `/workspace`. */
export async function openMountSandbox(): Promise<MountSandbox> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cm-mounts-")));
  const project = join(folder, "home/ada/project");
  const box = join(folder, "box");
  for (const made of [box, join(project, "src")]) mkdirSync(made, { recursive: true });
  writeFileSync(join(project, "src/main.ts"), "export {};\n");
  writeFileSync(join(folder, "home/ada/notes.md"), "not in the sandbox\n");
  const script = fileURLToPath(new URL("../fixtures/mounts/enter-sandbox.sh", import.meta.url));
  const child = spawn("unshare", ["--mount", "sh", script, box, project, folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const close = async (): Promise<void> => {
    child.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const ready = await Promise.race([once(child.stdout, "data").then(() => true), ended.then(() => false)]);
  if (!ready) {
    await close();
    throw new Error("The sandbox did not start.");
  }
  return {
    folder,
    project,
    mountinfo: readFileSync(`/proc/${child.pid}/mountinfo`, "utf8"),
    run(module, ...args) {
      // The working folder of the test is not below the root of the sandbox.
      const enter = ["--target", `${child.pid}`, "--mount", "--root", "sh", "-c", 'cd / && exec "$0" "$@"'];
      const command = [...enter, process.execPath, fileURLToPath(module), ...args];
      return JSON.parse(execFileSync("nsenter", command, { encoding: "utf8", stdio: "pipe" }));
    },
    close,
  };
}
