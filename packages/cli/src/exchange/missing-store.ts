import { statSync } from "node:fs";
import { shownStore } from "@cm/store-place";
import type { Task } from "../command-line.ts";
import { cliError } from "../errors.ts";

/**
 * Whether the store is a file that is still to be made.
 * @throws CmError `cli/no-store` without `--create`
 */
export function isMissingStore({ choice }: Pick<Task, "choice">, { create }: { readonly create?: true }): boolean {
  const isMissing = choice.kind === "sqlite" && (statSync(choice.path, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (isMissing && create !== true) {
    throw cliError(
      "cli/no-store",
      `${shownStore(choice)} is not there; add --create to make it, or name another store with --store.`,
    );
  }
  return isMissing;
}

/** A database on a server is made where it is not there yet, if that was said. */
export const mayMakeStore = (task: Pick<Task, "choice">, options: { readonly create?: true }): boolean =>
  isMissingStore(task, options) || (task.choice.kind === "postgres" && options.create === true);
