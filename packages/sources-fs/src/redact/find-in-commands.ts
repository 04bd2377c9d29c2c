import { redactLimits } from "../limits.ts";
import type { Anchors } from "./anchors.ts";
import { optionsByLetter, type SecretOption } from "./command-options.ts";
import { areScrambled, isThoughtUpAlone } from "./find-passwords.ts";
import { positionalArguments } from "./positional-arguments.ts";
import { looksDrawn, looksLikePassword } from "./randomness.ts";
import { markStart, type Span } from "./span.ts";
import { gradeOf } from "./token-grade.ts";

const none: readonly RegExp[] = [];
const argumentsByCode: readonly (readonly RegExp[] | undefined)[] = Array.from(
  { length: 128 },
  (_, code) => positionalArguments[String.fromCharCode(code).toLowerCase()],
);
const identifiedBy =
  /fied (?:with ["']?\w{1,40}["']? )?(?:by|as) (?:password )?(?:'(?=[^'\n]{4,160}')|"(?=[^"\n]{4,160}")|(?=[^\s;'"]{4,64}(?:[\s;]|$)))/iy;
const ofUser = /\b(?:create|alter)[ \t](?:user|role|login)\b[^\n]{0,64}$/i;
const word = /(?:"[^"\n]{3,512}"|'[^'\n]{3,512}'|[^\s"'`;|&<>()]{3,512})/y;
const placeholder =
  /^[$<{%[]|\$\{|\$\(|\*{3}|^(?:pass(?:word|wd)?|secret|token|x+|your.{0,40}|changeme|user|pwd|key)$/i;

/** Finds passwords that commands take as options: `curl -u a:b`, `mysql -pX`, `sshpass -p X`. */
export function findInCommands(
  text: string,
  {
    options: optionPlaces,
    identified,
    names,
    arguments: places,
  }: Pick<Anchors, "options" | "identified" | "names" | "arguments">,
): Span[] {
  const spans: Span[] = [];
  for (const at of optionPlaces) {
    if (!text.startsWith(" -", at)) continue;
    const possible = optionsByLetter.get(text.charAt(at + 2));
    const span = possible === undefined ? undefined : optionAt(text, at + 2, possible);
    if (span !== undefined) spans.push(span);
  }
  for (const at of [...names, ...places]) {
    const span = argumentAt(text, at, argumentsByCode[text.charCodeAt(at)] ?? none);
    if (span !== undefined) spans.push(span);
  }
  for (const at of identified) {
    identifiedBy.lastIndex = at;
    if (!/identi$/i.test(text.slice(Math.max(0, at - 6), at)) || !identifiedBy.test(text)) continue;
    const start = identifiedBy.lastIndex;
    const quote = /["']/.exec(text.charAt(start - 1))?.[0];
    // In prose, what something is identified by has none of these.
    if (quote !== "'" && text.charAt(at) !== "F" && !ofUser.test(text.slice(Math.max(0, at - 80), at))) continue;
    const length = text.slice(start, start + 161).search(quote === undefined ? /[\s;]|$/ : quote);
    if (length > 0 && isPassword(text.slice(start, start + length)))
      spans.push({ start, end: start + length, rule: "option" });
  }
  return spans;
}

function argumentAt(text: string, at: number, patterns: readonly RegExp[]): Span | undefined {
  for (const before of patterns) {
    before.lastIndex = at;
    if (!before.test(text)) continue;
    word.lastIndex = before.lastIndex;
    if (!word.test(text)) continue;
    const quotes = /["']/.test(text.charAt(before.lastIndex)) ? 1 : 0;
    const start = before.lastIndex + quotes;
    const end = escapedEnd(text, start, word.lastIndex - quotes);
    if (isPassword(text.slice(start, end))) return { start, end, rule: "argument" };
  }
  return undefined;
}

function optionAt(text: string, at: number, possible: readonly SecretOption[]): Span | undefined {
  let command: string | undefined;
  for (const { commands, option, after } of possible) {
    option.lastIndex = at;
    if (!option.test(text)) continue;
    const valueAt = option.lastIndex;
    word.lastIndex = valueAt;
    if (!word.test(text)) continue;
    const isQuoted = /["']/.test(text.charAt(valueAt));
    const start = isQuoted ? valueAt + 1 : valueAt;
    const end = isQuoted ? word.lastIndex - 1 : escapedEnd(text, start, word.lastIndex);
    const sign = after === undefined ? start - 1 : text.slice(start, end).indexOf(after) + start;
    // A key as a name has nothing in place of the password: `curl -u KEY:`.
    const isKey = after === ":" && sign === end - 1 && gradeOf(text.slice(start, sign)) !== undefined;
    if ((after !== undefined && sign < start) || !(isKey || isPassword(text.slice(sign + 1, end)))) continue;
    // Most options have no password behind them, whatever the command is.
    command ??= commandBefore(text, at);
    if (!commands.test(command)) continue;
    return isKey ? { start, end: sign, rule: "option" } : { start: sign + 1, end, rule: "option" };
  }
  return undefined;
}

/** The command that an option belongs to: since the line began, or the command before it ended. */
function commandBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - redactLimits.commandCharsMax), at);
  const joined = before.replace(/\\{1,2}\r?\n|\\{2,4}n/g, "  ");
  // What ends a command ends none in quotes.
  const broken = /[;|]/.test(joined) ? joined.replace(/"[^"\n]{0,120}"|'[^'\n]{0,120}'/g, quoted) : joined;
  const start = Math.max(
    broken.lastIndexOf("\n"),
    broken.lastIndexOf("\\n"),
    broken.lastIndexOf(";"),
    broken.lastIndexOf("|"),
  );
  return broken.slice(start + 1);
}

function quoted(text: string): string {
  return text.replace(/[;|]/g, " ");
}

/** Within a string of JSON the line ends at `\n`. */
function escapedEnd(text: string, start: number, end: number): number {
  const mark = text.slice(start, end).search(/\\/);
  return mark < 0 ? end : start + mark;
}

/** Whether it may be one, where nothing but a password stands. */
export function isPassword(value: string): boolean {
  if (value.length < 4 || value.startsWith(markStart) || placeholder.test(value)) return false;
  return (
    looksDrawn(value) ||
    looksLikePassword(value) ||
    isThoughtUpAlone(value) ||
    areScrambled(value) ||
    (/\d/.test(value) && /[A-Za-z]/.test(value) && !/[/\\]/.test(value))
  );
}
