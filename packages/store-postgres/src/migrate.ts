import type { Database, Session } from "./database.ts";
import { storeError } from "./errors.ts";
import { type Grant, grantAll } from "./grants.ts";
import { storeLimits } from "./limits.ts";
import { lockKey, type Migration, migrations, newest, newestVersion } from "./schema/migrations.ts";

/** Asks for the version with one statement, which any role may do. @throws CmError `store/unavailable` for a newer one */
export async function schemaVersion(
  database: Database,
  { name, known = newestVersion(), deadlineMs }: SchemaQuestion,
): Promise<number> {
  const sql = `SELECT coalesce((SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = $1), '') AS words,
    current_setting('server_encoding') AS encoding`;
  const [row] = await database.call((session) => session.rows<{ words: string; encoding: string }>(sql, [name]), {
    lost: "nothing",
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
  if (row?.encoding !== "UTF8") {
    throw storeError("store/unavailable", "The database's encoding is not UTF8; make one whose is.");
  }
  return checkVersion(versionIn(row.words), known);
}

export interface SchemaQuestion {
  readonly name: string;
  readonly known?: number;
  readonly deadlineMs?: number;
}

/**
 * Brings a namespace to the newest version, all of it or nothing. Several clients may do it at once: one does it, the others
 * wait and find it done.
 * @throws CmError `store/unavailable` for a newer version, for tables of another program, and where the role may not
 */
export function migrate(
  database: Database,
  name: string,
  {
    steps = migrations,
    grants = [],
  }: { readonly steps?: readonly Migration[]; readonly grants?: readonly Grant[] } = {},
): Promise<void> {
  const key = lockKey(name, "migrate");
  return database.call(
    async (session) => {
      await session.run("BEGIN ISOLATION LEVEL READ COMMITTED");
      await session.run(`SELECT pg_advisory_xact_lock(${key})`);
      await runSteps(session, name, steps);
      await grantAll(session, name, grants);
      await session.run("COMMIT");
    },
    { lost: "repeat", deadlineMs: storeLimits.maintenanceMs },
  );
}

async function runSteps(session: Session, name: string, steps: readonly Migration[]): Promise<void> {
  const [known] = await session.rows<{ words: string; tables: number }>(
    `SELECT coalesce(obj_description(n.oid, 'pg_namespace'), '') AS words,
       (SELECT count(*) FROM pg_class c WHERE c.relnamespace = n.oid) AS tables FROM pg_namespace n WHERE n.nspname = $1`,
    [name],
  );
  const goal = newestVersion(steps);
  const version = checkVersion(versionIn(known?.words ?? ""), goal);
  if (version === goal) return;
  if (version === 0 && known !== undefined && known.tables > 0) {
    throw storeError("store/unavailable", "The namespace has tables of another program; name another one.");
  }
  if (known === undefined) await session.run(`CREATE SCHEMA "${name}"`);
  await session.run(`SET LOCAL search_path = "${name}", pg_temp`);
  await session.run("SET LOCAL client_min_messages = warning");
  for (const step of version === 0 ? [newest] : steps.slice(version - 1)) await session.run(step(name));
  await session.run(`REVOKE ALL ON ALL FUNCTIONS IN SCHEMA "${name}" FROM PUBLIC`);
  await session.run(`COMMENT ON SCHEMA "${name}" IS '${mark} ${goal}'`);
}

/** The version stands in the namespace's comment: roles that may not read the tables can see it. */
const mark = "Context Manager store, version";

export function versionIn(words: string): number {
  return words.startsWith(`${mark} `) ? Number(words.slice(mark.length + 1)) : 0;
}

function checkVersion(version: number, known: number): number {
  if (version <= known) return version;
  throw storeError(
    "store/unavailable",
    `The store has schema version ${version}, this package knows up to ${known}; update the package.`,
    { store: version, known },
  );
}
