import { createHash } from "node:crypto";
import { checkFunction } from "./check-function.ts";
import { commitFunction } from "./commit-functions.ts";
import { eraseFunctions } from "./erase-functions.ts";
import { readFunctions } from "./read-functions.ts";
import { tables1 } from "./tables.ts";

/** Takes a namespace from one schema version to the next, inside the transaction that raises the version. */
export type Migration = (name: string) => string;

/**
 * From version 0, no tables, on. Entries are never changed or removed once released; new ones go to the end. A function
 * that answers otherwise gets a new number in its name and the old one stays for clients that are open.
 */
export const migrations: readonly Migration[] = [
  (name) => {
    const schema = `"${name}"`;
    const key = lockKey(name, "commit");
    return [
      tables1,
      commitFunction(schema, key),
      readFunctions(schema),
      eraseFunctions(schema, key),
      checkFunction(schema),
    ].join("\n");
  },
];

/** Advisory locks have numbers, one space of them for a database: other users of one only wait. */
export function lockKey(schema: string, purpose: "commit" | "migrate"): bigint {
  return createHash("sha256").update(`cm store ${schema} ${purpose}`).digest().readBigInt64BE();
}
