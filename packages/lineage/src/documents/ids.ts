import { invalid } from "../errors.ts";
import { lineageLimits } from "../limits.ts";

/** Ids name folders and keys, so they begin with a letter or digit and hold nothing that means a place. */
const pattern = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/;

export const isLineageId = (id: unknown): id is string =>
  typeof id === "string" && id.length <= lineageLimits.idCharsMax && pattern.test(id) && !id.includes("..");

/** @throws CmError `lineage/invalid` */
export function checkId(field: string, id: string): string {
  if (isLineageId(id)) return id;
  throw invalid(
    field,
    `An id has 1 to ${lineageLimits.idCharsMax} letters, digits, single dots, underscores, hyphens or tildes, and begins with a letter or digit.`,
  );
}

export const conversationObjectId = (id: string): string => `conversation:${id}`;
export const runObjectId = (id: string): string => `run:${id}`;
/** What a finished subagent posts: one for each run. */
export const mailObjectId = (run: string): string => `mail:${run}`;
/** Names of owners may be anything that fits into an id. */
export const ownerObjectId = (name: string): string => `run_owner:${encodeURIComponent(name)}`;
