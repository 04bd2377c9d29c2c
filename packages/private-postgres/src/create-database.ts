import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPostgres } from "./start-postgres.ts";

/** Makes an empty database on the server of a URL; its URL. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const psql = join(findPostgres() ?? "", "psql");
  await promisify(execFile)(psql, [serverUrl, "-qXc", `CREATE DATABASE ${name} STRATEGY file_copy`]);
  return serverUrl.replace(/[^/]+$/, name);
}
