import { createHash } from "node:crypto";
import { checkFunction } from "./check-function.ts";
import { commitFunction } from "./commit-functions.ts";
import { eraseFunctions } from "./erase-functions.ts";
import { readFunctions } from "./read-functions.ts";
import { tables, versionIndexes } from "./tables.ts";
import { textIndexFunctions, textIndexTables } from "./text-index.ts";

/** Takes a namespace from one schema version to the next, inside the transaction that raises the version. */
export type Migration = (name: string) => string;

/**
 * What clients of any version call. A function that answers otherwise gets a new number in its name, and the old one stays for
 * clients that are open; one that answers as before is replaced, and who may call it stays.
 */
const functions: Migration = (name) => {
  const schema = `"${name}"`;
  const [key, textsKey] = [lockKey(name, "commit"), lockKey(name, "texts")];
  const hint = hintStatement(lockKey(name, "listen"), notifyChannel(name));
  return [
    readFunctions(schema),
    commitFunction(schema, key, hint),
    eraseFunctions(schema, { key, textsKey, hint }),
    checkFunction(schema),
    textIndexFunctions(schema, textsKey),
  ].join("\n");
};

/**
 * Version 1 had two indexes on all versions, in which those of its time stay. Its columns stay as wide as they are; no row is
 * written anew, so that readers are not held up meanwhile.
 */
const fromVersion1: Migration = () => `
ALTER TABLE version ALTER valid_from DROP NOT NULL, DROP CONSTRAINT version_pkey;
DROP INDEX version_as_of;
${versionIndexes}`;

/** Version 3 had no index of texts. Who may search may ask it, and who may commit may fill it. */
const fromVersion3: Migration = (name) => `
${textIndexTables}
${functions(name)}
${allowed(name, "find_1", ["find_text_1", "text_entries_1"])}
${allowed(name, "commit_1", ["texts_to_index_1", "index_texts_1"])}`;

/** Lets every role that may call a function call others, too. */
const allowed = (name: string, known: string, others: readonly string[]): string => `
DO $$
DECLARE v_role oid; v_function regprocedure;
BEGIN
  FOR v_role, v_function IN SELECT a.grantee, q.oid FROM pg_proc p, aclexplode(p.proacl) a, pg_proc q
      WHERE p.pronamespace = '"${name}"'::regnamespace AND p.proname = '${known}' AND a.grantee NOT IN (0, p.proowner)
        AND q.pronamespace = p.pronamespace AND q.proname IN (${others.map((other) => `'${other}'`).join()}) LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', v_function, v_role::regrole);
  END LOOP;
END $$;`;

/**
 * Tells those who wait, where there are any: they hold the lock in shared mode. A notification makes the commits of all namespaces
 * of a database wait for each other.
 */
const hintStatement = (key: bigint, channel: string): string => `
  IF NOT pg_try_advisory_xact_lock(${key}) THEN PERFORM pg_notify('${channel.slice(1, -1)}', ''); END IF;`;

/** Commits tell those who wait from this schema version on. */
export const tellingVersion = 5;

/** Where a namespace's commits are told, as an identifier. */
export const notifyChannel = (schema: string): string => `"cm_${schema}"`;

/** From no tables to the newest version. */
export const newest: Migration = (name) => `${tables}\n${textIndexTables}\n${functions(name)}`;

/**
 * From version 1 on, each to the next one. New ones go to the end. Versions 3 and 5 have the tables of those before them:
 * lists of a session have each object once in version 3, and commits tell those who wait since version 5.
 */
export const migrations: readonly Migration[] = [fromVersion1, functions, fromVersion3, functions];

/** Advisory locks have numbers, one space of them for a database: other users of one only wait. */
export function lockKey(schema: string, purpose: "commit" | "migrate" | "texts" | "listen"): bigint {
  return createHash("sha256").update(`cm store ${schema} ${purpose}`).digest().readBigInt64BE();
}

/** The schema version of this package; version 0 has no tables. */
export const newestVersion = (steps: readonly Migration[] = migrations): number => steps.length + 1;
