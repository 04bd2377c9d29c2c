import { isAgainst, mayName, strengthOf, wordsOf } from "./name-strength.ts";

const lineCharsMax = 160;
const behindCharsMax = 240;
/** What may stand on a line beside a value without saying what it is: a prompt, a bullet, quotes, who wrote it when. */
const before = /^[>\s$#*\-\u2022\u2192"'`]{0,12}$/;
const speaker =
  /^\s{0,8}(?:[[(<]?\d[\d:., /\u202f-]{3,24}[\])>]?[ \t-]{0,4})?[A-Z][\w.]{0,20}(?: [A-Z][\w.]{0,20})?[ \t]{0,2}[:>][ \t]{1,3}["'`]?$/i;
const behind = /^["'`]?(?:[ \t]*(?:\r?\n|$)|[ \t]{1,4}\()/;
/** What is said of a secret that its reader has to keep. */
const shownOnce =
  /(?:not|never|n't|n\u2019t|cannot)[ \w]{0,24} (?:shown?|displayed|see|view|retrieve|be able)|(?:only|just)[ \w]{0,16} once|copy (?:it|this|the)[ \w]{0,24} now|(?:store|save|keep) (?:it|this|them)[ \w]{0,12} (?:safe|secure|secret|now)/i;
const word = /[\w\u00aa-\u1fff\u3040-\ufeff'-]+/g;

/** A text that may be a secret, by its place. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * Whether a text that fills its line is named by the line above, which asks for it or announces it: `Password for the
 * elastic user (reset with ...):`, `what is the token again?`; or whether the lines below say that it is shown once. The
 * name has to be as sure as `least`.
 */
export function isNamedByLines(text: string, { start, end }: Place, least: 2 | 3): boolean {
  const above = text.slice(Math.max(0, start - 2 * lineCharsMax), start);
  const lineStart = above.lastIndexOf("\n") + 1;
  const own = above.slice(lineStart);
  const after = text.slice(end, end + behindCharsMax);
  const isSaid = speaker.test(own);
  if ((!before.test(own) && !isSaid) || !behind.test(after)) return false;
  const lines = above
    .slice(0, Math.max(0, lineStart - 1))
    .trimEnd()
    .split("\n");
  const label = (lines.at(-1) ?? "").slice(-lineCharsMax).trimEnd();
  const asks = isSaid ? /\?$/ : /[:?]["'`*_]{0,3}$/;
  if (asks.test(label) && isLabel(label, least)) return true;
  return !isSaid && shownOnce.test(after) && lines.slice(-4).some((line) => isLabel(line, least));
}

/** A line that names a secret, and nothing of it that everybody may know. */
function isLabel(line: string, least: 2 | 3): boolean {
  const words = [...line.slice(-lineCharsMax).matchAll(word)].map(([one]) => one);
  return (
    words.some(
      (one, n) =>
        mayName(one) && strengthOf(wordsOf(words.slice(Math.max(0, n - 2), n + 1).join(" ")), wordsOf(one)) >= least,
    ) && !words.some((one) => isAgainst(wordsOf(one)) && one !== "name")
  );
}
