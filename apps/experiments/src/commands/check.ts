import { checkDatabases } from "../check/check-database.ts";
import { fromCaller } from "./caller-folder.ts";

/** `check PATH...`: says for each session how many requests were rebuilt byte for byte. True where all were. */
export async function check(paths: readonly string[], { json }: { readonly json?: true }): Promise<boolean> {
  let whole = true;
  for await (const result of checkDatabases(paths.map(fromCaller))) {
    const { database, session, requests, equal, erased } = result;
    whole &&= equal + erased === requests;
    const erasure = erased === 0 ? "" : `, ${erased} with erased text`;
    const line =
      json === true
        ? JSON.stringify(result)
        : `${database}: ${session}: ${equal} of ${requests} requests rebuilt byte for byte${erasure}`;
    process.stdout.write(`${line}\n`);
  }
  return whole;
}
