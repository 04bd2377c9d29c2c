import { isCmError } from "@cm/object-model";
import { Command } from "commander";
import type { CommandRun, Task } from "../command-line.ts";
import { checkFile } from "../doctor/check-file.ts";
import { type CheckLine, fail, ok } from "../doctor/check-line.ts";
import { checkLock } from "../doctor/check-lock.ts";
import { checkNode } from "../doctor/check-node.ts";
import { checkSessions } from "../doctor/check-sessions.ts";
import { checkXtdb } from "../doctor/check-xtdb.ts";
import { exitCodes } from "../errors.ts";
import { limits } from "../limits.ts";
import { visibleLine } from "../output/visible-text.ts";
import { storeName } from "../store/open-store.ts";

const colors = { ok: "green", warn: "yellow", fail: "red" } as const;

export function doctorCommand(run: CommandRun): Command {
  const command = new Command("doctor").description("whether everything is there to work with the store");
  return command.action(() =>
    run.run(command, async (task) => {
      let failed = false;
      for await (const line of checks(task)) {
        failed ||= line.status === "fail";
        await printLine(task, line);
      }
      return failed ? exitCodes.found : exitCodes.ok;
    }),
  );
}

async function* checks({ choice, open, world }: Task): AsyncGenerator<CheckLine> {
  yield checkNode();
  yield ok("store", `${storeName(choice)} (${choice.saidBy})`);
  if (choice.kind === "xtdb") {
    const lines = await checkXtdb(choice);
    yield* lines;
    if (!lines.some(({ status }) => status === "ok")) return;
  }
  try {
    const store = await open();
    if (choice.kind === "sqlite") {
      yield* checkFile(choice.path);
      yield* checkLock(choice.path);
    }
    yield* await checkSessions(store, world.now());
  } catch (error) {
    if (!isCmError(error)) throw error;
    yield fail("store", "It cannot be read", error.message);
  }
}

async function printLine({ output }: Task, { check, status, text, next }: CheckLine): Promise<void> {
  if (output.json) {
    await output.value({ check, status, text, next: next ?? null });
    return;
  }
  const advice = next === undefined ? "" : `\n      ${visibleLine(next, limits.fieldCharsMax)}`;
  await output.line(
    `${output.paint(colors[status], status.padEnd(4))}  ${check}: ${visibleLine(text, limits.fieldCharsMax)}${advice}`,
  );
}
