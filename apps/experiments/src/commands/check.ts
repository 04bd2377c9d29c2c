import { checkDatabases, type DatabaseProblem, type SessionCheck } from "../check/check-database.ts";
import { fromCaller } from "./caller-folder.ts";

export type CheckResult = "whole" | "unfinished" | "damaged";

/** The exit status that says it; the command `cm` uses the same. */
export const checkStatus = { whole: 0, damaged: 1, unfinished: 7 } as const;

/**
 * `check PATH...`: says for each session how many requests were rebuilt byte for byte, and what is wrong with a database.
 * `unfinished`: all is well but for an import that was cut.
 */
export async function check(paths: readonly string[], { json }: { readonly json?: true }): Promise<CheckResult> {
  let isWhole = true;
  let isFinished = true;
  for await (const result of checkDatabases(paths.map(fromCaller))) {
    if (!("problem" in result)) isWhole &&= result.equal + result.erased === result.requests;
    else if (result.isUnfinished === true) isFinished = false;
    else isWhole = false;
    process.stdout.write(`${json === true ? JSON.stringify(result) : lineOf(result)}\n`);
  }
  if (!isWhole) return "damaged";
  return isFinished ? "whole" : "unfinished";
}

function lineOf(result: SessionCheck | DatabaseProblem): string {
  if ("problem" in result) return `${result.database}: ${result.problem}`;
  const { database, session, requests, equal, erased, missing } = result;
  const erasure = erased === 0 ? "" : `, ${erased} with erased text`;
  const loss = missing === 0 ? "" : `, ${missing} of which the database has lost something`;
  return `${database}: ${session}: ${equal} of ${requests} requests rebuilt byte for byte${erasure}${loss}`;
}
