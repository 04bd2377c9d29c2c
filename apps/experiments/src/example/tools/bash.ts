import { type ChildProcess, spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { limits } from "../limits.ts";
import { type CommandOutput, OutputTail } from "./output-tail.ts";
import { type BashArgs, done, failure, type ToolResult, type Workspace } from "./tool.ts";
import { keepTail, sizeText } from "./truncate.ts";

/**
 * Runs a command of the script in the working folder: bounded in time, with little of the user's environment. This is
 * no sandbox. The real path of the folder is replaced in the output.
 */
export async function bash({ command, timeout }: BashArgs, workspace: Workspace): Promise<ToolResult> {
  const seconds = Math.min(timeout ?? limits.commandSecondsMax, limits.commandSecondsMax);
  const output = new OutputTail();
  const end = await run(command, { workspace, seconds, output });
  const { text, details } = shown(output.read(), workspace);
  switch (end.kind) {
    case "no-shell":
      return failure("No shell (sh) was found on this machine.");
    case "timeout":
      return failure(withStatus(text, `Command timed out after ${seconds} seconds`));
    case "exit":
      if (end.code === 0) return done(text === "" ? "(no output)" : text, details);
      return failure(withStatus(text, `Command exited with code ${end.code}`));
  }
}

type End = { readonly kind: "exit"; readonly code: number } | { readonly kind: "timeout" | "no-shell" };

interface Running {
  readonly workspace: Workspace;
  readonly seconds: number;
  readonly output: OutputTail;
}

function run(command: string, { workspace: { root, shell }, seconds, output }: Running): Promise<End> {
  const { promise, resolve } = Promise.withResolvers<End>();
  const [program, ...words] = shell ?? ["sh", "-c"];
  const child = spawn(program ?? "sh", [...words, command], {
    cwd: root,
    env: environment(root),
    // A group of its own, so that a timeout also ends what the command started.
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe"],
  });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    endGroup(child);
  }, seconds * 1000);
  child.stdout.on("data", (chunk: Buffer) => output.add(chunk));
  child.stderr.on("data", (chunk: Buffer) => output.add(chunk));
  child.once("error", () => resolve({ kind: "no-shell" }));
  // Not "exit": output may still be on its way then.
  child.once("close", (code) => resolve(timedOut ? { kind: "timeout" } : { kind: "exit", code: code ?? 1 }));
  return promise.finally(() => {
    clearTimeout(timer);
    // A background process would outlive the working folder.
    endGroup(child);
  });
}

/** Nothing that names the user or changes what tools print. `node` is the one that runs this. */
function environment(root: string): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), process.env.PATH ?? "/usr/bin:/bin"].join(delimiter);
  return { PATH: path, HOME: root, TMPDIR: root, LC_ALL: "C", TZ: "UTC", NODE_NO_WARNINGS: "1", NO_COLOR: "1" };
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL");
  } catch {
    // It ended by itself in the meantime.
  }
}

function shown(output: CommandOutput, { root, shownAs }: Workspace): Pick<ToolResult, "text" | "details"> {
  const text = output.text.replaceAll(root, shownAs);
  const all = text.replace(/\n$/, "").split("\n");
  const { lines, by } = keepTail(all);
  const total = output.linesBefore + all.length;
  if (by === undefined && output.linesBefore === 0) return { text };
  const details = {
    truncation: { truncated: true, truncatedBy: by ?? "bytes", totalLines: total, outputLines: lines.length },
  };
  if (lines.length === 0) {
    const end = (all.at(-1) ?? "").slice(-limits.shownBytesMax);
    return { text: `${end}\n\n[Showing the end of line ${total}.]`, details };
  }
  const reason = by === "lines" ? "" : ` (${sizeText(limits.shownBytesMax)} limit)`;
  const notice = `[Showing lines ${total - lines.length + 1}-${total} of ${total}${reason}.]`;
  return { text: `${lines.join("\n")}\n\n${notice}`, details };
}

function withStatus(text: string, status: string): string {
  return text === "" ? status : `${text}\n\n${status}`;
}
