import { createHash } from "node:crypto";
import { checkFunction } from "./check-function.ts";
import { commitFunction } from "./commit-functions.ts";
import { eraseFunctions } from "./erase-functions.ts";
import { readFunctions } from "./read-functions.ts";
import { tables, versionIndexes } from "./tables.ts";

/** Takes a namespace from one schema version to the next, inside the transaction that raises the version. */
export type Migration = (name: string) => string;

/**
 * What clients of any version call. A function that answers otherwise gets a new number in its name, and the old one stays for
 * clients that are open; one that answers as before is replaced, and who may call it stays.
 */
const functions: Migration = (name) => {
  const schema = `"${name}"`;
  const key = lockKey(name, "commit");
  return [readFunctions(schema), commitFunction(schema, key), eraseFunctions(schema, key), checkFunction(schema)].join(
    "\n",
  );
};

/**
 * Version 1 had two indexes on all versions, in which those of its time stay. Its columns stay as wide as they are; no row is
 * written anew, so that whoever reads meanwhile reads on.
 */
const fromVersion1: Migration = () => `
ALTER TABLE version ALTER valid_from DROP NOT NULL, DROP CONSTRAINT version_pkey;
DROP INDEX version_as_of;
${versionIndexes}`;

/** From no tables to the newest version. */
export const newest: Migration = (name) => `${tables}\n${functions(name)}`;

/**
 * From version 1 on, each to the next one. New ones go to the end. Version 3 has the tables of version 2: its lists of a session
 * have each object once.
 */
export const migrations: readonly Migration[] = [fromVersion1, functions];

/** Advisory locks have numbers, one space of them for a database: other users of one only wait. */
export function lockKey(schema: string, purpose: "commit" | "migrate"): bigint {
  return createHash("sha256").update(`cm store ${schema} ${purpose}`).digest().readBigInt64BE();
}

/** The schema version of this package; version 0 has no tables. */
export const newestVersion = (steps: readonly Migration[] = migrations): number => steps.length + 1;
