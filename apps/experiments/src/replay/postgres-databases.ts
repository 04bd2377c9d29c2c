import { randomBytes } from "node:crypto";
import { CmError, isCmError } from "@cm/object-model";
import type { Database } from "./database.ts";

/** The database that `CM_POSTGRES_URL` names. It may hold a login, so it is no part of a command line, which reports quote. */
const variable = "CM_POSTGRES_URL";

/** A schema of its own for each run; it stays, as the files of the other stores do. @throws CmError `replay/postgres` */
export async function inPostgres(name: string): Promise<Database> {
  const url = process.env[variable];
  if (url === undefined || url === "") {
    throw new CmError(
      "replay/postgres",
      `--store postgres needs ${variable}: set it to postgres://USER@HOST/DATABASE.`,
    );
  }
  const safe = name.toLowerCase().replace(/[^a-z0-9_]/g, "_");
  const namespace = `replay_${randomBytes(6).toString("hex")}_${safe}`.slice(0, 48);
  const { openPostgresStore } = await import("@cm/store-postgres");
  try {
    const store = await openPostgresStore({ url, schema: namespace });
    return { store, file: undefined, namespace, release: () => store.close() };
  } catch (error) {
    if (!isCmError(error)) throw error;
    throw new CmError("replay/postgres", `The Postgres store cannot be used. ${error.message}`);
  }
}
