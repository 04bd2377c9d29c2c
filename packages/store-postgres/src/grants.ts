import type { Session } from "./database.ts";
import { storeError } from "./errors.ts";

/** What a role may do: look; look and commit; or all of it and erase. The owner alone reads or changes tables. */
export type Permission = "read" | "write" | "erase";

export interface Grant {
  readonly role: string;
  readonly may: Permission;
}

const reading = ["get_many_1", "history_1", "find_1", "find_text_1", "find_fields_1", "text_entries_1", "check_1"];
const writing = [...reading, "commit_1", "texts_to_index_1", "index_texts_1"];
const functions: Readonly<Record<Permission, readonly string[]>> = {
  read: reading,
  write: writing,
  erase: [...writing, "erase_begin_1", "erase_1"],
};

/** Gives each role what it may and takes what it may not, inside a transaction. @throws CmError `store/unavailable` */
export async function grantAll(session: Session, schema: string, grants: readonly Grant[]): Promise<void> {
  for (const { role, may } of grants) {
    const name = `"${checkRole(role).replaceAll('"', '""')}"`;
    const called = await session.rows<{ signature: string }>(
      `SELECT p.oid::regprocedure::text AS signature FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
         WHERE n.nspname = $1 AND p.proname = ANY($2)`,
      [schema, functions[may]],
    );
    await session.run(`REVOKE ALL ON ALL FUNCTIONS IN SCHEMA "${schema}" FROM ${name}`);
    await session.run(`GRANT USAGE ON SCHEMA "${schema}" TO ${name}`);
    for (const { signature } of called) await session.run(`GRANT EXECUTE ON FUNCTION ${signature} TO ${name}`);
  }
}

function checkRole(role: string): string {
  if (role !== "" && role.length <= 63 && !role.includes("\0")) return role;
  throw storeError("store/unavailable", "The role's name cannot be one; it has 1 to 63 letters.");
}
