import type { StoreCheck } from "@cm/object-model";
import { limits } from "../limits.ts";
import { type CheckLine, fail, ok } from "./check-line.ts";

/** What to do with a damaged SQLite file. */
export const recoverAdvice =
  "Take a copy of the file, then run cm doctor --recover NEW-FILE: it reads what can be read into a new file.";

const restoreAdvice = "Restore the database from a backup; cm verify names what is damaged.";

/** Whether the store's own files and indexes are whole. A store that has none to look at has no line. */
export function checkIntegrity(report: StoreCheck | undefined, isFile: boolean): readonly CheckLine[] {
  if (report === undefined) return [];
  const { problems } = report;
  if (problems.length === 0) return [ok("integrity", "pages, tables and indexes are whole")];
  const named = problems.slice(0, limits.problemsNamedMax);
  const advice = isFile ? recoverAdvice : restoreAdvice;
  const more = problems.length - named.length;
  return [
    ...named.map((problem) => fail("integrity", problem, advice)),
    ...(more > 0 ? [fail("integrity", `and ${more} more problems`, advice)] : []),
  ];
}
