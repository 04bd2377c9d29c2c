import { PassThrough, Readable } from "node:stream";
import { runCm } from "../../src/run.ts";
import type { World } from "../../src/world.ts";
import type { CommandResult } from "./run-cm.ts";

export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Stdout and stderr are a terminal of this many columns; without it they are pipes. */
  readonly columns?: number;
  readonly colors?: boolean;
  /** What is typed, or piped in. */
  readonly input?: string;
  /** Whether input comes from a terminal. */
  readonly typed?: boolean;
  readonly now?: number | (() => number);
  /** Gets all of stdout so far, with each piece of it; at `true` the reader goes, as `head` does. */
  readonly readsEnough?: (stdout: string) => boolean;
}

/** Runs a command line in this process, on streams that behave as a terminal where that is asked for. */
export async function inProcess(args: readonly string[], options: TerminalOptions = {}): Promise<CommandResult> {
  const { columns, colors = false } = options;
  const surface = () => {
    const stream = new PassThrough();
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    const terminal = columns === undefined ? {} : { isTTY: true, columns, hasColors: () => colors };
    return { stream: Object.assign(stream, terminal), text: () => Buffer.concat(chunks).toString("utf8") };
  };
  const [out, err] = [surface(), surface()];
  const { readsEnough } = options;
  if (readsEnough !== undefined) out.stream.on("data", () => readsEnough(out.text()) && out.stream.destroy());
  const stdin = Object.assign(Readable.from([Buffer.from(options.input ?? "")]), { isTTY: options.typed === true });
  const world: World = {
    stdin,
    stdout: out.stream,
    stderr: err.stream,
    env: { HOME: "/nonexistent", ...options.env },
    cwd: options.cwd ?? process.cwd(),
    now: typeof options.now === "function" ? options.now : () => Number(options.now ?? Date.now()),
  };
  const status = await runCm(args, world);
  return { status, stdout: out.text(), stderr: err.text() };
}
