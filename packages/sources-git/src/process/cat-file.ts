import { ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { Socket } from "node:net";
import { dirname } from "node:path";
import { limits } from "../limits.ts";
import { reasons, Trouble } from "../reasons.ts";
import { gitArguments, gitEnvironment } from "./environment.ts";
import { type Expected, type Reply, ReplyParser } from "./reply-parser.ts";
import { repositoryTrouble, startTrouble } from "./run-git.ts";

export interface CatFileEvents {
  readonly onReply: (reply: Reply) => void;
  /** It has ended, and no reply comes any more. Not called after `kill`. */
  readonly onEnd: (trouble: Trouble) => void;
}

export interface CatFile {
  readonly ended: Promise<void>;
  write(commands: string): void;
  /** Whether Node waits for this process. */
  keepAlive(on: boolean): void;
  kill(): void;
}

/** Starts `git cat-file --batch-command`. It ends by itself when this process does, because its input closes. */
export function startCatFile(
  { program, folder }: { readonly program: string; readonly folder: string },
  next: () => Expected | undefined,
  { onReply, onEnd }: CatFileEvents,
): CatFile {
  const child = spawnCatFile(program, folder);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const parser = new ReplyParser(next, onReply);
  const stderr = boundedText(child.stderr);
  let over = false;
  const end = (trouble: Trouble): void => {
    if (over) return;
    over = true;
    child.kill("SIGKILL");
    onEnd(trouble);
  };
  child.stdout.on("data", (chunk: Buffer) => {
    if (over) return;
    try {
      parser.feed(chunk);
    } catch (error) {
      end(error instanceof Trouble ? error : new Trouble(reasons.gitUnclear, { cause: error }));
    }
  });
  // Its end says more than a pipe that broke.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
  let started = true;
  child.on("error", () => {
    started = false;
    void startTrouble(program).then(end).then(resolve);
  });
  child.on("close", () => {
    if (started) end(endTrouble(stderr()));
    resolve();
  });
  return {
    ended,
    write: (commands) => child.stdin.write(commands),
    keepAlive: (on) => keepAlive(child, on),
    kill: () => {
      over = true;
      child.kill("SIGKILL");
      // The process must stay alive for callers that wait for the end.
      keepAlive(child, true);
    },
  };
}

function spawnCatFile(program: string, folder: string): ChildProcessWithoutNullStreams {
  return spawn(program, [...gitArguments, "cat-file", "--batch-command", "--buffer"], {
    cwd: folder,
    env: gitEnvironment(dirname(folder)),
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
}

/** The beginning of what a stream says; the rest is thrown away. */
function boundedText(stream: NodeJS.ReadableStream): () => string {
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    if (text.length < limits.errorOutputBytesMax) text += chunk.toString("latin1");
  });
  return () => text;
}

function keepAlive(child: ChildProcessWithoutNullStreams, on: boolean): void {
  for (const handle of [child, child.stdin, child.stdout, child.stderr]) {
    if (!(handle instanceof ChildProcess || handle instanceof Socket)) continue;
    if (on) handle.ref();
    else handle.unref();
  }
}

/** Why a process that should have gone on has ended. */
function endTrouble(stderr: string): Trouble {
  if (/promisor remote|promisor-remote|lazy fetching/.test(stderr)) return new Trouble(reasons.missingObject);
  if (/corrupt|unable to unpack|inflate|hash mismatch|packfile .* cannot be accessed|bad object/.test(stderr)) {
    return new Trouble(reasons.damagedObject);
  }
  if (/not a git repository|dubious ownership|unsafe repository|config/.test(stderr)) return repositoryTrouble(stderr);
  return new Trouble(reasons.gitEnded);
}
