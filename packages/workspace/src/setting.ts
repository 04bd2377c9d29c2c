import { randomUUID } from "node:crypto";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { withWorkspaceTypes } from "./documents/types.ts";
import { Records } from "./records/records.ts";

export interface WorkspacesOptions {
  /** Workspaces, sessions, tasks, histories, artifacts and the audit; opened with `withWorkspaceTypes()`. */
  readonly records: ObjectStore;
  /** Where tool calls and project files are; default: the store for records. Only tool calls are read in it. */
  readonly content?: ObjectStore;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly newId?: () => string;
}

export interface Setting {
  readonly records: Records;
  readonly content: ObjectStore;
  readonly now: () => number;
  readonly newId: () => string;
}

export function settingOf({ records, content, now = Date.now, newId = randomUUID }: WorkspacesOptions): Setting {
  return { records: new Records(records), content: content ?? records, now, newId };
}

/** A store in memory for the records: for tests and first steps. */
export const memoryRecords = (now?: () => number): ObjectStore =>
  createMemoryStore({ types: withWorkspaceTypes(), ...(now === undefined ? {} : { now }) });
