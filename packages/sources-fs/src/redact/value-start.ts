/** From a key's name to its value: `"password": "`, `apiKey: string = '`, `<password>`, `--token `, `TOKEN=`. */
const toValue =
  /[\w-]{0,32}(?:\\{0,3}["'`])?\]?(?:[^ -~\n]\[[\d;]{0,12}m)?[ \t]{0,8}(?::[ \t]{0,4}[Ss]tr(?:ing)?[ \t]{0,4})?(?:\?\?=|\|\|=|:=|=>|={1,3}|:|>|%3[Dd])[ \t]{0,8}/y;
/** `\e[33m` or, in JSON, `\\u001b[33m`. */
const toColoured = /(?:[^ -~\n]|\\{1,2}u001b|\\{1,2}x1b|\\{1,2}033)\[[\d;]{0,12}m/y;
/** `process.env.X || "..."`, and the brace of JSX. */
const toFallback = /process\.env(?:\.\w{1,64}|\[["']\w{1,64}["']\])[ \t]{0,4}(?:\|\||\?\?)[ \t]{0,4}|\{(?=["'`])/y;
/** `The token is: ...`, `password for the database: ...`. */
const toProse =
  /[ \t](?:is|was|for[ \t][\w.-]{1,24}(?:[ \t][\w.-]{1,24})?:)[ \t]?[:=]?[ \t]{1,2}["'`]?(?=[\w+/.~-]{12})/y;
/** Commands that take a name and a value as two words. */
const settingBefore = /(?:^|\s)(?:ENV|ARG|setx|set[ \t]-g?x|set-env)[ \t]{1,4}[\w-]{0,48}$/;
const toArgument = /[\w-]{0,32}[ \t]/y;
const toBearer = /[ \t]{1,4}/y;
/** YAML has a value on the next line, further in, and so have long assignments. */
const toNextLine = /(?:[|>][+-]?)?[ \t]{0,4}(?:\\{1,3}n|\r?\n)[+-]?[ \t]{1,24}(?=["'`]?[\w+/=.~-]{8})/y;

/** `- name: X` and `value: Y`, `{"name":"X","value":"Y"}`, `key="X" value="Y"`, perhaps with a type between them. */
const pairBefore =
  /(\\{0,3}["'][Vv]alue\\{0,3}["'][ \t]{0,4}:[ \t]{0,4}\\{0,3}["'])[^"'\\\n]{8,160}\\{0,3}["'],[\s\\n]{0,40}["'](?:[Nn]ame|[Kk]ey)\\{0,3}["'][ \t]{0,4}:[ \t]{0,4}\\{0,3}["'][\w.-]{0,48}$/;
const toValueBeside =
  /\\{0,3}["'`]?[ \t]{0,4},?(?:\\{1,3}r?\\{0,3}n)?[\s+|-]{0,40}(?:\\{0,3}["']type\\{0,3}["'][ \t]{0,4}:[ \t]{0,4}\\{0,3}["']\w{1,24}\\{0,3}["'],\s{0,40})?\\{0,3}["'`]?(?:[Ss]tring|[Ss]ecret|[Dd]efault)?_?(?:[Vv]alue|VALUE|[Dd]efault)\\{0,3}["'`]?[ \t]{0,4}(?:=>|[:=>])[ \t]{0,4}/y;
/** `define('X', 'Y')`, `setenv("X", "Y")`. */
const toNextArgument = /\\{0,3}["'`][ \t]{0,4},[ \t]{0,4}(?=\\{0,3}["'`])/y;
const argumentBefore = /\([ \t]{0,4}\\{0,3}["'`][\w.-]{0,60}$/;
/** `<key>X</key><string>Y</string>`. */
const toNextElement = /<\/\w{1,16}>\s{0,40}<\w{1,16}>/y;
/** `variable "X" { type = string, default = "Y" }`. */
const toDefault = /"[ \t]{0,4}\{[^{}]{0,240}?\bdefault[ \t]{0,20}=[ \t]{0,8}/y;
/** `PASSWORD 'x'` in SQL, `password x` in a netrc file. */
const restOfPassword = /(?:or)?d(?!\w)/iy;
const toQuoted = /[ \t]{1,4}(?=')/y;
const toWord = /[ \t]{1,4}(?=\S{4})/y;
const loginCharsMax = 120;
const loginBefore = /(?:login|account|machine)[ \t]{1,4}\S{1,80}\s{1,20}$/;
const connectionBefore = /=[^;=\s]{1,64};[ \t]{0,2}$/;

interface NameInText {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isShort: boolean;
}

/** The beginning of a name's value, or nothing without a value. */
export function valueStart(text: string, name: NameInText): number | undefined {
  const at = directly(text, name) ?? beside(text, name);
  return at === undefined ? undefined : step(toColoured, text, at);
}

/** Whether a quote that a look ahead has seen stands here. */
export function isInQuotes(text: string, at: number): boolean {
  return `"'\``.includes(text.charAt(at)) && at < text.length;
}

function directly(text: string, { start, end, text: name }: NameInText): number | undefined {
  const at = step(toValue, text, end);
  if (at !== end) return step(toFallback, text, step(toNextLine, text, at));
  if (name === "bearer") return positionOrUndefined(step(toBearer, text, end), end);
  const prose = step(toProse, text, end);
  if (prose !== end) return prose;
  if (settingBefore.test(text.slice(Math.max(0, start - 72), start)))
    return positionOrUndefined(step(toArgument, text, end), end);
  if (isOption(text, start)) return positionOrUndefined(step(toArgument, text, end), end);
  if (name !== "passw") return undefined;
  const word = step(restOfPassword, text, end);
  if (word === end) return undefined;
  const quoted = step(toQuoted, text, word);
  if (quoted !== word) return quoted;
  return loginBefore.test(text.slice(Math.max(0, start - loginCharsMax), start))
    ? positionOrUndefined(step(toWord, text, word), word)
    : undefined;
}

/** Whether a password stands where a netrc file or a connection string has one. */
export function isCredential(text: string, { start, text: name }: NameInText): boolean {
  if (!/^(?:passw|pwd)/.test(name)) return false;
  const before = text.slice(Math.max(0, start - loginCharsMax), start);
  return loginBefore.test(before) || connectionBefore.test(before);
}

/** The name stands as a value itself, and its value beside it. */
function beside(text: string, { start, end }: NameInText): number | undefined {
  let at = end;
  while (at < end + 32 && /[\w.-]/.test(text.charAt(at))) at += 1;
  const next = text.charAt(at);
  const earlier = valueBefore(text, start);
  if (earlier !== undefined) return earlier;
  if (next === "<") return positionOrUndefined(step(toNextElement, text, at), at);
  if (!/["'`\\\s,]/.test(next)) return undefined;
  const value = positionOrUndefined(step(toValueBeside, text, at), at);
  if (value !== undefined || next === "," || /\s/.test(next)) return value;
  const argument = step(toNextArgument, text, at);
  if (argument !== at && argumentBefore.test(text.slice(Math.max(0, start - 64), start))) return argument;
  return positionOrUndefined(step(toDefault, text, at), at);
}

/** `{"value":"Y","name":"X"}`. */
function valueBefore(text: string, start: number): number | undefined {
  if (!/["'][\w.-]{0,48}$/.test(text.slice(Math.max(0, start - 50), start))) return undefined;
  const from = Math.max(0, start - 260);
  const found = pairBefore.exec(text.slice(from, start));
  return found === null ? undefined : from + found.index + (found[1] ?? "").length;
}

function positionOrUndefined(at: number, end: number): number | undefined {
  return at === end ? undefined : at;
}

function isOption(text: string, nameStart: number): boolean {
  const before = text.slice(Math.max(0, nameStart - 24), nameStart + 2);
  return /(?:^|[\s"'`])--[\w-]*$/.test(before);
}

function step(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
