import type { CmError } from "@cm/object-model";
import { type CliErrorCode, cliError } from "../errors.ts";
import { limits } from "../limits.ts";

/** A thing that a name may mean: its id, and its line in the list. */
export interface Match {
  readonly id: string;
  readonly line: string;
}

/**
 * That a name means several things, with those that there is room for.
 * @param said what matches, and what to do, such as `sessions begin with a; name one of them`
 */
export function severalMatch(said: string, matches: readonly Match[]): CmError<CliErrorCode> {
  const shown = matches.slice(0, limits.matchesMax);
  const [several, some] = matches.length > shown.length ? [`More than ${shown.length}`, ", such as"] : ["Several", ""];
  const lines = shown.map(({ line }) => line);
  return cliError("cli/ambiguous", `${several} ${said}${some}:\n${lines.join("\n")}`, {
    matches: shown.map(({ id }) => id),
  });
}
