import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A program with the command line of `docker exec CONTAINER COMMAND...`, for one container that sees the files of this
 * machine. It speaks as docker does where the container is stopped, and notes every exec.
 */
export interface StandIn {
  readonly folder: string;
  readonly command: readonly string[];
  stop(): void;
  start(): void;
  /** The execs so far. */
  readonly execs: number;
  close(): void;
}

export function openStandIn({ shell = "/bin/sh", container = "box" } = {}): StandIn {
  const folder = mkdtempSync(join(tmpdir(), "cm-stand-in-"));
  const [program, stopped, log] = ["engine", "stopped", "execs"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  // The container's `sh` may be another one than this machine's.
  symlinkSync(shell, join(folder, "sh"));
  const text = [
    "#!/bin/sh",
    `[ "$1" = exec ] || { echo 'unknown command' >&2; exit 125; }`,
    `echo exec >>'${log}'`,
    `[ "$2" = '${container}' ] || { echo "Error response from daemon: No such container: $2" >&2; exit 1; }`,
    `[ ! -e '${stopped}' ] || { echo "Error response from daemon: container $2 is not running" >&2; exit 1; }`,
    `shift 2`,
    `PATH='${folder}':$PATH exec "$@"`,
  ];
  writeFileSync(program, `${text.join("\n")}\n`);
  chmodSync(program, 0o755);
  return {
    folder,
    command: [program, "exec", container],
    stop: () => writeFileSync(stopped, ""),
    start: () => rmSync(stopped, { force: true }),
    get execs() {
      return existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
