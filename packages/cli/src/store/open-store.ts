import { accessSync, closeSync, constants, mkdirSync, openSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { lineageTypes } from "@cm/lineage";
import { type CmError, defined, isCmError, type ObjectStore } from "@cm/object-model";
import { shownStore } from "@cm/store-place";
import { openSqliteStore } from "@cm/store-sqlite";
import { visibleLine } from "@cm/terminal-text";
import { withWorkspaceTypes } from "@cm/workspace";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { StoreChoice } from "./choose-store.ts";

/** All that programs of ours write beside sessions: conversations and runs, workspaces and what they govern. */
export const storeTypes = withWorkspaceTypes(lineageTypes);

/** The access of a command to its store. `create`: a missing file is created. */
export type Access = "read" | "write" | "create";

export interface OpenOptions {
  /** A clock in place of the machine's or the server's. */
  readonly now?: () => number;
  /** For work that can be repeated: commits in a file of this machine wait for the disk once, when the store is closed. */
  readonly bulk?: boolean;
}

export type OpenedStore = ObjectStore & { close(): Promise<void> };

/**
 * Opens the chosen store. Reading never makes a file, nor brings one to a newer schema; writing makes one only
 * under `create`.
 * @throws CmError `cli/no-store`, `store/unavailable`, `store/corrupt`
 */
export async function openStore(choice: StoreChoice, access: Access, options: OpenOptions = {}): Promise<OpenedStore> {
  try {
    return await openChosen(choice, access, options);
  } catch (error) {
    throw withStore(error, choice);
  }
}

async function openChosen(
  choice: StoreChoice,
  access: Access,
  { now, bulk = false }: OpenOptions,
): Promise<OpenedStore> {
  if (choice.kind === "xtdb") {
    const { urls, token, namespace } = choice;
    // Loaded only here: its HTTP client takes longer to load than all else together.
    const { openXtdbStore } = await import("@cm/store-xtdb");
    return openXtdbStore({ urls, namespace, types: storeTypes, ...defined({ token, now }) });
  }
  if (choice.kind === "postgres") {
    const { url, schema } = choice;
    const { openPostgresStore } = await import("@cm/store-postgres");
    return openPostgresStore({ url, types: storeTypes, migrate: access === "create", ...defined({ schema, now }) });
  }
  checkStoreFile(choice, access);
  return openSqliteStore({
    path: choice.path,
    types: storeTypes,
    readOnly: access === "read",
    synchronous: bulk ? "normal" : "full",
    ...defined({ now }),
  });
}

/** @throws CmError `cli/no-store` where the file is none of a store, before anything is opened */
export function checkStoreFile(choice: SqliteChoice, access: Access): void {
  const { path, saidBy } = choice;
  const shown = visibleLine(path, limits.fieldCharsMax);
  const option = optionOf(choice);
  const found = lookAt(path, `name a SQLite file with ${option}`);
  if (found?.isDirectory() === true) {
    throw cliError("cli/no-store", `${shown} is a folder; name a SQLite file in it with ${option}.`, { path });
  }
  // Writing would make a store of it.
  if (found?.size === 0 && access === "write") throw emptyFile(choice);
  if (found !== undefined && !found.isFile()) {
    throw cliError("cli/no-store", `${shown} is no file; name a SQLite file with ${option}.`, { path });
  }
  if (found !== undefined) return;
  if (access !== "create") {
    const who = saidBy === "the default" ? "The default store" : `The store that ${saidBy} names`;
    throw cliError(
      "cli/no-store",
      `${who}, ${shown}, is not there; name a SQLite file, or the URL of a Postgres or an XTDB node, with ${option}.`,
      { path },
    );
  }
  try {
    // The default place is there once Pi ran with the extension; a folder that was named may be a slip of the keys.
    if (saidBy === "the default") mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    accessSync(dirname(path), constants.W_OK);
  } catch {
    throw cliError("cli/no-store", `There is no folder that could be written to for ${shown}; make it first.`, {
      path,
    });
  }
  // Sessions hold what files and tools said: the store's own file would be open to all users. SQLite takes an empty one
  // for a new one, and gives its log the same mode.
  closeSync(openSync(path, "ax", 0o600));
}

/** @throws CmError `cli/no-store` for what can be no file's path, or leads through a folder that may not be searched */
function lookAt(path: string, next: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${error.code})` : "";
    throw cliError("cli/no-store", `The path of the store cannot be looked at${code}; ${next}.`, { path });
  }
}

type SqliteChoice = Extract<StoreChoice, { kind: "sqlite" }>;

/** The option with which another store is named. */
const optionOf = ({ saidBy }: SqliteChoice): string => (saidBy.startsWith("--") ? saidBy : "--store");

function emptyFile(choice: SqliteChoice): CmError {
  const { path } = choice;
  const shown = visibleLine(path, limits.fieldCharsMax);
  const sentence = `${shown} is an empty file and no store; name another one with ${optionOf(choice)}.`;
  return cliError("cli/no-store", sentence, { path });
}

const namesItsStore: ReadonlySet<string> = new Set(["store/unavailable", "store/unknown-outcome", "store/corrupt"]);

/** The store's own sentences do not know how it is named here, nor what to do about an earlier schema. */
export function withStore(error: unknown, choice: StoreChoice): unknown {
  if (!isCmError(error) || !namesItsStore.has(error.code)) return error;
  const shown = visibleLine(shownStore(choice), limits.fieldCharsMax);
  const { file, known } = error.data;
  if (choice.kind === "sqlite" && typeof file === "number" && typeof known === "number" && file < known) {
    if (file === 0) return emptyFile(choice);
    return cliError(
      "cli/no-store",
      `${shown} has the schema of an earlier version (${file}, now ${known}); run \`cm upgrade\` on it first.`,
      { path: choice.path, file, known },
    );
  }
  const isNamed = error.message.startsWith(`${shown}: `);
  return isNamed ? error : Object.assign(error, { message: `${shown}: ${error.message}` });
}
