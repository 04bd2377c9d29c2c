import * as disk from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { CmError } from "@cm/object-model";
import { limits } from "../limits.ts";
import { sourceName } from "../source.ts";

/** The lock of those who rewrite a session file, beside it. @throws CmError `journal/locked` */
export function lockRewrites(path: string): Promise<() => void> {
  return lockFile(join(dirname(path), `.${basename(path)}.lock`));
}

/**
 * Takes a lock that is a file with the number and the machine of its process. A lock whose process is gone is taken over;
 * of a process of another machine that is not known, and an old lock counts as left.
 * @throws CmError `journal/locked` where one process holds it all the time, or too many do in turn; data: file, waitedMs
 */
async function lockFile(path: string): Promise<() => void> {
  const own = `${process.pid} ${hostname()} ${Math.random()}`;
  let holder: string | undefined;
  let end = Date.now() + limits.lockWaitMs;
  for (let holders = 0; !tryLock(path, own); ) {
    const content = contentOf(path);
    if (content !== holder) {
      // It goes from hand to hand: who waits has its turn at some time.
      holder = content;
      holders += 1;
      end = Date.now() + limits.lockWaitMs;
    }
    if (Date.now() > end || holders > limits.lockHoldersMax) throw locked(path);
    removeIfLeft(path, own);
    await later(1 + Math.random() * 3);
  }
  return () => {
    if (contentOf(path) === own) disk.rmSync(path, { force: true });
  };
}

function tryLock(path: string, own: string): boolean {
  try {
    disk.writeFileSync(path, own, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes a lock without a holder, under a second lock: between a look at the first and its removal, another process
 * could have removed it and taken it anew. The second is held for these two calls alone; an old one was left in between.
 */
function removeIfLeft(path: string, own: string): void {
  const content = contentOf(path);
  if (content === undefined || isHeld(path, content)) return;
  const removing = `${path}.left`;
  if (!tryLock(removing, own)) {
    if (ageMs(removing) > limits.lockWaitMs / 2) disk.rmSync(removing, { force: true });
    return;
  }
  try {
    if (contentOf(path) === content) disk.rmSync(path, { force: true });
  } finally {
    disk.rmSync(removing, { force: true });
  }
}

function isHeld(path: string, content: string): boolean {
  const [number = "", host] = content.split(" ");
  const pid = Number.parseInt(number, 10);
  // It is being written just now, or its process was killed between making and writing it.
  if (Number.isNaN(pid) || host !== hostname()) return ageMs(path) < limits.lockWaitMs / 2;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function ageMs(path: string): number {
  const { mtimeMs } = disk.statSync(path, { throwIfNoEntry: false }) ?? {};
  return mtimeMs === undefined ? 0 : Date.now() - mtimeMs;
}

function contentOf(path: string): string | undefined {
  try {
    return disk.readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function locked(path: string): CmError<"journal/locked"> {
  const file = sourceName(path);
  const message = `Another process rewrites the session of ${file}; end it, or remove that file if nothing runs.`;
  return new CmError("journal/locked", message, { file, waitedMs: limits.lockWaitMs });
}
