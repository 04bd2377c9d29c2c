import { stat } from "node:fs/promises";
import { trackLimits as limits } from "../limits.ts";
import { within } from "./concurrency.ts";

/** A file's attributes at one scan. */
export interface FileFact {
  readonly text: string;
  /**
   * It changed so shortly before the scan that a later change may have left the same attributes (as git's index says).
   */
  readonly racy: boolean;
}

/** Never rejects: what cannot be looked at is a fact, too. */
export async function fileFact(path: string): Promise<FileFact> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await within(limits.lookMs, stat(path));
    return { text: `${ino}:${size}:${mtimeMs}:${ctimeMs}`, racy: Date.now() - ctimeMs < limits.racyMs };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    // No answer is not knowledge, so it never equals the next scan.
    return { text: code, racy: code === "ETIMEDOUT" };
  }
}

/** Whether something may have happened between two looks. Too often yes is harmless, too often no is not. */
export function possiblyChanged(before: FileFact | undefined, after: FileFact): boolean {
  return before === undefined || before.racy || before.text !== after.text;
}
