import { strengthOf, wordsOf } from "./name-strength.ts";
import type { Span } from "./span.ts";
import { spansAt } from "./spans-at.ts";
import { gradeOf } from "./token-grade.ts";

const nameBefore = /(?:[A-Za-z-]{1,24} )?[A-Za-z_-]{0,24}$/;
const toGroups =
  /([A-Za-z_]{2,24}(?: code)?)["'*`]{0,3}(?:[ \t](?:is|ist|est|es))?(?:[ \t]{0,8}[:=])?\s{1,4}["'`*]{0,2}/iy;
/** As apps show keys that people type, and passwords of apps: `mcvc kpme auje waeo`. */
const groups = /(?:[A-Za-z\d]{4}(?: [A-Za-z\d]{4}){3,14}|\d{5}(?: \d{5}){5})(?![\w'-]| \w)/y;

/** Finds keys and passwords that blanks part into groups, behind a name that says so. */
export function findGrouped(text: string, names: readonly number[]): Span[] {
  return spansAt(names, (at) => groupsAt(text, at));
}

function groupsAt(text: string, at: number): Span | undefined {
  toGroups.lastIndex = at;
  const [, rest = ""] = toGroups.exec(text) ?? [];
  if (rest === "") return undefined;
  const start = toGroups.lastIndex;
  groups.lastIndex = start;
  if (!groups.test(text)) return undefined;
  const end = groups.lastIndex;
  const whole = text.slice(start, end).replaceAll(" ", "");
  const name = `${nameBefore.exec(text.slice(Math.max(0, at - 48), at))?.[0] ?? ""}${rest}`;
  const own = wordsOf(name.slice(name.lastIndexOf(" ") + 1));
  if (strengthOf(wordsOf(name), own) < 2 || !(gradeOf(whole) !== undefined || /^\d{30}$/.test(whole))) return undefined;
  return { start, end, rule: "grouped" };
}
