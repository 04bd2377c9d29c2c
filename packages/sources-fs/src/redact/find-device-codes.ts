import type { Span } from "./span.ts";
import { spansAt, startsWithOneOf } from "./spans-at.ts";
import { gradeOf } from "./token-grade.ts";

/** What a person types to let a device in: `WDJB-MJHT`, behind a name that says so. */
const typed =
  /[Cc]ode(?<=(?:[Dd]evice|[Uu]ser|[Oo]ne-time|[Ee]nter (?:the|this)|[Cc]onfirmation)[ _-]?[Cc]ode)["'`*]{0,3}(?: is)?[ \t]{0,4}[:=]?[ \t]{0,4}["'`*]{0,3}(?=[A-Z\d-]{0,9}[A-Z])([A-Z\d]{4}-[A-Z\d]{4}|(?=[A-Z\d]{0,8}\d)[A-Z\d]{8,9})(?![\w-])/y;
/** What the device itself asks with until then, or what a login hands over once. */
const drawn =
  /code(?<=(?:device|auth|authorization)_?code)\\{0,2}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,2}["']?([\w./~-]{16,400})(?![\w./~-])/iy;

/** The letters that names of these codes have before `code`, and what may stand behind it. */
const lasts = startsWithOneOf("ershn");
const ends = startsWithOneOf(` "'\`*\\:=\t`);

/** Finds codes by which one device lets in another. */
export function findDeviceCodes(text: string, places: readonly number[]): Span[] {
  return spansAt(places, (at) => {
    // Most that say `code` say what it is for with another letter, or are part of a word.
    if (!lasts(text, at - 1) && !lasts(text, at - 2)) return undefined;
    if (!ends(text, at + "code".length)) return undefined;
    for (const pattern of [typed, drawn]) {
      pattern.lastIndex = at;
      const value = pattern.exec(text)?.[1];
      if (value === undefined || (pattern === drawn && gradeOf(value) === undefined)) continue;
      return { start: pattern.lastIndex - value.length, end: pattern.lastIndex, rule: "code" };
    }
    return undefined;
  });
}
