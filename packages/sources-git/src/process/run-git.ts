import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { defined } from "@cm/object-model";
import { limits } from "../limits.ts";
import { reasons, Trouble } from "../reasons.ts";
import { gitArguments, gitEnvironment } from "./environment.ts";

export interface GitRun {
  readonly code: number;
  readonly stdout: Buffer;
  /** Matched against known words, never shown. */
  readonly stderr: string;
}

export interface RunOptions {
  /** The program, as an absolute path. */
  readonly program: string;
  readonly folder: string;
  readonly signal?: AbortSignal;
}

/**
 * One short git that answers one question, killed when the signal says so.
 * @throws Trouble where there is no git, where it is killed, or where it says more than the bound
 */
export async function runGit(args: readonly string[], { program, folder, signal }: RunOptions): Promise<GitRun> {
  const settings = {
    cwd: folder,
    env: gitEnvironment(dirname(folder)),
    encoding: "buffer",
    maxBuffer: limits.outputBytesMax,
    killSignal: "SIGKILL",
    windowsHide: true,
    ...defined({ signal }),
  } as const;
  const { promise, resolve } = Promise.withResolvers<{ error: Error | null; stdout: Buffer; stderr: Buffer }>();
  const child = execFile(program, [...gitArguments, ...args], settings, (error, stdout, stderr) =>
    resolve({ error, stdout, stderr }),
  );
  child.stdin?.on("error", () => {}).end();
  const { error, stdout, stderr } = await promise;
  const said = stderr.subarray(0, limits.errorOutputBytesMax).toString("latin1");
  if (error === null) return { code: 0, stdout, stderr: said };
  const { code } = error as { code?: unknown };
  if (typeof code === "number") return { code, stdout, stderr: said };
  if (signal?.aborted) throw new Trouble(reasons.timedOut);
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") throw new Trouble(reasons.tooManyRefs);
  if (code === "ENOENT" || code === "EACCES") throw await startTrouble(program);
  throw new Trouble(reasons.gitEnded, { cause: error });
}

/** A process that could not be started: for want of the program, or of the folder it should run in? */
export async function startTrouble(program: string): Promise<Trouble> {
  const there = await access(program).then(
    () => true,
    () => false,
  );
  return new Trouble(there ? reasons.noFolder : reasons.noGit);
}

/** The reason of a failed git, from its repository. */
export function repositoryTrouble(stderr: string): Trouble {
  if (stderr.includes("dubious ownership") || stderr.includes("unsafe repository")) {
    return new Trouble(reasons.foreignOwner);
  }
  return new Trouble(stderr.includes("not a git repository") ? reasons.noRepository : reasons.brokenRepository);
}
