import { execFile } from "node:child_process";
import { constants } from "node:os";
import { delimiter, isAbsolute } from "node:path";
import { limits } from "../limits.ts";
import { type Reason, reasons, Trouble } from "../reasons.ts";

/** The environment that an engine's program needs: its path, the user's settings, and the selected engine. */
const kept = /^(?:HOME|XDG_CONFIG_HOME|XDG_RUNTIME_DIR|SSH_AUTH_SOCK|KUBECONFIG|(?:DOCKER|CONTAINER|PODMAN)_\w+)$/;

/** Engines' own words for what stands in the way. They are the engine's, not the container's. */
const complaints: readonly (readonly [RegExp, Reason])[] = [
  [/no such container|no container with name/i, reasons.noContainer],
  [/is not running|is paused|is restarting|on running containers|container state improper/i, reasons.notRunning],
  [
    /cannot connect|connection refused|permission denied while trying to connect|is the docker daemon/i,
    reasons.engineAway,
  ],
  [/executable file not found|no such file or directory/i, reasons.noShell],
];

export interface ExecOptions {
  /** The command that runs what follows it in the container. */
  readonly command: readonly string[];
  readonly outputBytesMax: number;
  readonly signal: AbortSignal;
}

/**
 * One program in the container, without a terminal and without input; no shell of ours reads its arguments.
 * @throws Trouble where it is not run, is killed, or says more than the bound
 */
export async function runExec(
  args: readonly string[],
  { command, outputBytesMax, signal }: ExecOptions,
): Promise<Buffer> {
  const [program = "", ...before] = command;
  const settings = {
    env: execEnvironment(),
    encoding: "buffer",
    maxBuffer: outputBytesMax,
    killSignal: "SIGKILL",
    windowsHide: true,
    signal,
  } as const;
  const { promise, resolve } = Promise.withResolvers<{ error: Error | null; stdout: Buffer; stderr: Buffer }>();
  const child = execFile(program, [...before, ...args], settings, (error, stdout, stderr) =>
    resolve({ error, stdout, stderr }),
  );
  child.stdin?.on("error", () => {}).end();
  const { error, stdout, stderr } = await promise;
  if (error === null) return stdout;
  throw new Trouble(reasonOfFailure(error, stderr, signal), { cause: error });
}

function reasonOfFailure(
  error: Error & { code?: unknown; signal?: unknown },
  stderr: Buffer,
  signal: AbortSignal,
): Reason {
  const { code } = error;
  if (signal.aborted) return reasons.timedOut;
  if (code === "ENOENT" || code === "EACCES") return reasons.noEngine;
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return reasons.execUnclear;
  // The bound on time inside the container speaks so, too.
  if (code === 128 + constants.signals.SIGKILL || code === 124) return reasons.timedOut;
  const said = stderr.subarray(0, limits.errorOutputBytesMax).toString("latin1");
  return complaints.find(([words]) => words.test(said))?.[1] ?? reasons.execEnded;
}

function execEnvironment(): NodeJS.ProcessEnv {
  const { env } = process;
  const outside = Object.fromEntries(Object.entries(env).filter(([name]) => kept.test(name)));
  // A folder by a relative name would be another one in each working folder.
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return { ...outside, PATH: folders.join(delimiter), LC_ALL: "C" };
}
