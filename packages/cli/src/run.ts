import { isCmError } from "@cm/object-model";
import { visibleLine } from "@cm/terminal-text";
import { CommanderError } from "commander";
import { CommandRun } from "./command-line.ts";
import { exitCodeOf, exitCodes } from "./errors.ts";
import { limits } from "./limits.ts";
import { jsonLine } from "./output/json-line.ts";
import { OutputClosed } from "./output/output.ts";
import { createProgram } from "./program.ts";
import type { World } from "./world.ts";

/**
 * Runs one command line, without the name of the program, and gives its exit code. Nothing is thrown: what goes wrong
 * is one sentence on stderr, as JSON where the caller asked for it.
 */
export async function runCm(args: readonly string[], world: World): Promise<number> {
  const run = new CommandRun(world);
  // A broken pipe shows when it is written to; without a listener it would end the process with a trace.
  world.stderr.on("error", () => {});
  try {
    await createProgram(run).parseAsync([...args], { from: "user" });
    return run.exitCode;
  } catch (error) {
    if (error instanceof OutputClosed) return exitCodes.ok;
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    const said = told(error, run.refused);
    const json = args.includes("--json");
    world.stderr.write(json ? jsonLine({ error: said }) : `cm: ${said.message}\n`);
    if ((world.env.CM_DEBUG ?? "") !== "" && error instanceof Error) world.stderr.write(`${error.stack}\n`);
    return said.exit;
  }
}

interface Told {
  readonly code: string;
  readonly message: string;
  readonly exit: number;
  readonly data?: object;
}

function told(error: unknown, command: string | undefined): Told {
  if (error instanceof CommanderError) {
    const plain =
      error.code === "commander.help"
        ? "No command was given."
        : error.message.replace(/^error: /, "").replaceAll("\n", " ");
    const message = plain.charAt(0).toUpperCase() + plain.slice(1);
    const help = command === undefined ? "cm --help" : `cm ${command} --help`;
    return { code: "cli/usage", message: `${sentence(message)} See ${help}.`, exit: exitCodes.usage };
  }
  const exit = exitCodeOf(error);
  if (isCmError(error)) return { code: error.code, message: sentence(error.message), exit, data: error.data };
  const what = error instanceof Error ? `${error.name} ${"code" in error ? String(error.code) : ""}`.trim() : "unknown";
  return {
    code: "cli/fault",
    message: `An error that cm does not know (${what}); run it with CM_DEBUG=1 to see where, and report it.`,
    exit,
  };
}

/** Messages may hold ids and paths of others, so they are made safe; a list of matches stands on lines of its own. */
function sentence(message: string): string {
  const safe = message
    .split("\n")
    .map((line) => visibleLine(line, limits.fieldCharsMax))
    .join("\n");
  return /[.!?:]$/.test(safe.split("\n")[0] ?? "") ? safe : `${safe}.`;
}
