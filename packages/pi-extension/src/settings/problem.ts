import { visibleLine } from "@cm/terminal-text";
import { settingLimits as limits } from "./setting-limits.ts";

/** A mistake in the settings. Neither part has a value from outside in it. */
export interface Problem {
  /** Where it stands and what is wrong with it: a sentence without its full stop. */
  readonly said: string;
  /** What holds in its place: a sentence. Else that is said by what comes to hold for `setting`. */
  readonly holds?: string;
  readonly setting?: string;
}

/** As people read it, on one line. `nowHolds` gives the sentence for a setting. */
export function problemText({ said, holds, setting }: Problem, nowHolds: (setting: string) => string): string {
  const now = holds ?? (setting === undefined ? "It is left aside." : nowHolds(setting));
  return visibleLine(`${said}${said.endsWith("?") ? "" : "."} ${now}`, limits.problemCharsMax);
}

/** All of them in one notice; undefined where there are none. */
export function problemsNotice(problems: readonly string[]): string | undefined {
  if (problems.length === 0) return undefined;
  const named = problems.slice(0, limits.problemsNamedMax);
  const more = problems.length - named.length;
  const what = problems.length === 1 ? "one mistake in its settings" : `${problems.length} mistakes in its settings`;
  return [
    `Context Manager found ${what}; all other settings are in force.`,
    ...named.map((problem) => `- ${problem}`),
    ...(more === 0 ? [] : [`- and ${more} more; /cm doctor lists them.`]),
  ].join("\n");
}

/** A name from outside, in quotes. */
export const quoted = (name: string): string => `"${visibleLine(name, 64).replaceAll('"', "?")}"`;
