import { checkDatabases, type DatabaseProblem, type SessionCheck } from "../check/check-database.ts";
import { fromCaller } from "./caller-folder.ts";

/**
 * `check PATH...`: says for each session how many requests were rebuilt byte for byte, and what is wrong with a database.
 * True where all were, but for erased text.
 */
export async function check(paths: readonly string[], { json }: { readonly json?: true }): Promise<boolean> {
  let whole = true;
  for await (const result of checkDatabases(paths.map(fromCaller))) {
    whole &&= !("problem" in result) && result.equal + result.erased === result.requests;
    process.stdout.write(`${json === true ? JSON.stringify(result) : lineOf(result)}\n`);
  }
  return whole;
}

function lineOf(result: SessionCheck | DatabaseProblem): string {
  if ("problem" in result) return `${result.database}: ${result.problem}`;
  const { database, session, requests, equal, erased, missing } = result;
  const erasure = erased === 0 ? "" : `, ${erased} with erased text`;
  const loss = missing === 0 ? "" : `, ${missing} of which the database has lost something`;
  return `${database}: ${session}: ${equal} of ${requests} requests rebuilt byte for byte${erasure}${loss}`;
}
