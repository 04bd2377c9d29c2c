import { resolve } from "node:path";
import { isCmError } from "@cm/object-model";
import { shownStore } from "@cm/store-place";
import { isDamagedStore, type RecoverReceipt, recoverSqliteStore } from "@cm/store-sqlite";
import { counted, visibleLine } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun, Task } from "../command-line.ts";
import { checkFile } from "../doctor/check-file.ts";
import { checkIntegrity, recoverAdvice } from "../doctor/check-integrity.ts";
import { type CheckLine, fail, ok } from "../doctor/check-line.ts";
import { checkLock } from "../doctor/check-lock.ts";
import { checkNode } from "../doctor/check-node.ts";
import { checkSessions } from "../doctor/check-sessions.ts";
import { checkXtdb } from "../doctor/check-xtdb.ts";
import { cliError, exitCodes } from "../errors.ts";
import { limits } from "../limits.ts";
import { checkStoreFile } from "../store/open-store.ts";

const colors = { ok: "green", warn: "yellow", fail: "red" } as const;

export function doctorCommand(run: CommandRun): Command {
  const command = new Command("doctor").description("whether everything is there to work with the store");
  command.option("--recover <file>", "read what can be read of a damaged SQLite file into a new one");
  return command.action(({ recover }: { readonly recover?: string }) =>
    run.run(command, async (task) => {
      if (recover !== undefined) return recoverInto(recover, task);
      let failed = false;
      for await (const line of checks(task)) {
        failed ||= line.status === "fail";
        await printLine(task, line);
      }
      return failed ? exitCodes.found : exitCodes.ok;
    }),
  );
}

/** The damaged file stays as it is. */
async function recoverInto(name: string, { choice, output, world }: Task): Promise<number> {
  if (choice.kind !== "sqlite")
    throw cliError("cli/usage", "Only a SQLite file can be recovered; name one with --store.");
  checkStoreFile(choice, "write");
  const to = resolve(world.cwd, name);
  const receipt = recovered(choice.path, to);
  if (output.json) await output.value({ store: choice.path, to, ...receipt });
  else await output.line(recoveredLine(to, receipt));
  return receipt.isIncomplete || receipt.rowsRefused > 0 ? exitCodes.found : exitCodes.ok;
}

function recovered(path: string, to: string): RecoverReceipt {
  try {
    return recoverSqliteStore({ path, to });
  } catch (error) {
    if (!isCmError(error)) throw error;
    const [from, into] = [path, to].map((file) => visibleLine(file, limits.fieldCharsMax));
    throw Object.assign(error, { message: `${from} cannot be recovered into ${into}: ${error.message}` });
  }
}

function recoveredLine(to: string, { objects, versions, rowsRefused, isIncomplete }: RecoverReceipt): string {
  const file = visibleLine(to, limits.fieldCharsMax);
  const isWhole = !isIncomplete && rowsRefused === 0;
  const rest = isWhole ? "Everything could be read." : "Some of it could not be read.";
  const next = isWhole ? "it checks the new file" : "it names missing objects that others refer to";
  return `${counted(objects, "object")} in ${counted(versions, "version")} were read into ${file}. ${rest} Run cm --store ${file} verify: ${next}.`;
}

async function* checks({ choice, open, world }: Task): AsyncGenerator<CheckLine> {
  yield checkNode();
  const named = `${shownStore(choice)} (${choice.saidBy})`;
  if (choice.kind === "xtdb") {
    const lines = await checkXtdb(choice);
    yield* lines;
    if (!lines.some(({ status }) => status === "ok")) return;
  }
  let isOpen = false;
  try {
    const store = await open();
    yield ok("store", named);
    isOpen = true;
    if (choice.kind === "sqlite") {
      yield* checkFile(choice.path);
      yield* checkLock(choice.path);
    }
    const report = await store.check?.();
    yield* checkIntegrity(report, choice.kind === "sqlite");
    yield* await checkSessions(store, {
      now: world.now(),
      newestTransactionTime: report?.newestTransactionTime,
    });
  } catch (error) {
    if (!isCmError(error)) throw error;
    const advice = isDamagedStore(error) ? `${error.message} Without one: ${recoverAdvice}` : error.message;
    yield isOpen
      ? fail("integrity", "Not all of it can be read", advice)
      : fail("store", `${named} cannot be read`, advice);
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
