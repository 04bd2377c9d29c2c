import { isFiller } from "./fillers.ts";
import { wordsIn } from "./letter-pairs.ts";
import { patternsOf, thoughtUpPatterns } from "./name-patterns.ts";
import { changesOf, isKnownToAll } from "./randomness.ts";
import { secretNames } from "./secret-words.ts";
import { markStart, type Span } from "./span.ts";
import { gradeOf } from "./token-grade.ts";

const [always, digits] = [thoughtUpPatterns(true), thoughtUpPatterns("digits")];
/** The names of what people think up, from where their anchors are, with what may stand behind them; by the first letter. */
const names = new Map<string, RegExp>();
for (const letter of new Set([...always, ...digits].flatMap(firstsOf))) {
  const [some, someDigits] = [always, digits].map((all) =>
    all.filter((one) => firstsOf(one).includes(letter)).join("|"),
  );
  const pattern = new RegExp(
    `(?:(?:${some || "(?!)"})s?|(${someDigits || "(?!)"}))(?:[_.-]?(?:prod|production|dev|test|live|staging|old|new|current|value|data|text|plain|previous|primary|secondary|v?\\d{1,4}))?(?![\\w.-])`,
    "iy",
  );
  names.set(letter, pattern).set(letter.toUpperCase(), pattern);
}
const otherToken = /(?:page|sync|next|continuation|cancellation|cursor|resume|public[_-]?key)[_-]?$/i;
/** Before `pass`: a word of its own, or one that it is joined with. */
const wordBefore =
  /(?:^|[^A-Za-z]|(?:store|key|ssh|db|root|user|sudo|become|admin|smtp|mail|ftp|dn|require|conn|bind|login|s|[Bb]|keystore))$/;
/** What may stand between the name of a password and the password: signs, quotes and what wraps a text in code. */
const toValue =
  /(?:(?:是|为|為|は|은|는|が)[ \t]{0,2}[:：]?[ \t]{0,2}(?=[「『“"]|[!-~])|[:：]?[ \t]?(?=「)|[`*]{0,2}[ \t]{0,40}\|(?<=\n[ \t]{0,8}\|[ \t`*]{1,4}[\w.-]{2,40}[`*]{0,2}[ \t]{0,40}\|)[ \t]{1,40}(?=\S{6,64}[ \t]{1,40}\|)|["'`]?[ \t]{0,4}(?::?=>?|:)[ \t]{0,4}(?:[\w.:>\\-]{0,32}(?:crypt|hash|make|encode|hashSync|ensitive|SecretStr(?:ing)?(?:::new)?|String::from|Buffer\.from|Some|bytes)|\[\]byte)\([ \t]{0,2}(?=["'`])|\\{0,3}["'`”]?[\])]?[ \t]{0,40}(?:(?::[ \t]{0,2}|As[ \t])(?:&?str|String|string)[ \t]{0,2}=|\?\?=|\|\|=|\?=|:[=-]|::|=>|->|→|›|={1,3}|\*{0,2}[:：]\*{0,2}|>|%3[Dd])[ \t]{0,8}(?:\r?\n[ \t]{0,16})?|(?:[ \t][\w ]{1,24}"[^"\n]{1,24}"|[ \t][a-zà-ÿа-я]{2,4}[ \t][\w\u00aa-\u1fff]{1,16})??(?::(?=[ \t])|[ \t][—–](?=[ \t]))[ \t]{1,2}|(?:[ \t][\w .@\u00aa-\uffff-]{1,40}?)??(?::(?=[ \t])|[ \t]{1,4}(?:is|was|be|ist|lautet|est|c.est|è|é|es|är|er|je|este|to|VALUE|set to))[ \t]{1,2}:?[ \t]{0,2}|["'][ \t]?,[ \t]{0,4}["'](?:answer|value|text|content|val)["'][ \t]?:[ \t]?(?=["'])|["'`][ \t]{0,2},[ \t]{0,4}(?:[^"'`\n()]{0,48}\bdefault[=:][ \t]?)?(?=["'`])|<\/\w{1,12}>\s{0,8}<(?:td|dd|code|kbd|[Vv]alue|string|b|strong|span)(?:[ \t][^<>\n]{1,60})?>|["'][ \t](?:value|VALUE)=|["' \t](?:\w{2,10}=["'][\w-]{2,16}["'])>|\]?["'`]?\){1,2}\.\w{2,24}\((?:\w{2,24}\()?[ \t]{0,2}(?=["'`])|[ \t]\{[ \t]get;[^{}\n]{0,24}\}[ \t]=[ \t](?=")|\\{0,3}["'`]?[\])]?\\{0,3}[ \t]{1,40}(?:\?\?|\|\||or|0[ \t])?[ \t]{0,2}|\([ \t]{0,2}(?=["'`]))(?:<!\[CDATA\[|&nbsp;|\{|@|[NbrLu](?=["'])|["']\[redacted:\w{3,16}\]["'][ \t]{1,2}->[ \t])?/y;
const opening = /\\{0,3}(?:"""|["'`“„「『])/y;
const quotedValue = /[!#-&(-;=?-[\]-_a-~]{6,64}(?=\\{0,3}["'`”“」』])/y;
const bareValue = /[!#-%*+\--9=?-Z^_a-z~&]{6,64}(?=[\s"'`,;<)\]}|\\\u3000-\uffef]|$)/y;
/** Words of Cyrillic letters with a digit behind them. */
const cyrillicValue = /[\u0400-\u04ff][\w\u0400-\u04ff!@#$%^&*+-]{3,40}\d[!@#$%^&*]?(?![\w\u0400-\u04ff-])/y;
/** Of an address or a form: the next name and its value follow. */
const fieldValue = /[!$%*+\--9?-Z^_a-z~]{6,64}(?=[\s"'`&#<\\]|$)/y;
/** Words that stand in a password's place, or say something about one. */
const word =
  /pass|pwd|secret|token|(?<![a-z])key|(?:api|access)_?key|string|required|null|undefined|true|false|none|default|example|sample|change(?!_?me\w{0,10}\d[!@#$%&*?])|your|placeholder|xxx|enter|invalid|(?<![a-z])must(?![a-z])|auth|login|user|error|param|option|config|field|input|value|type|hash|crypt|salt|name|label|prompt|hidden|text|empty|missing|incorrect|wrong|valid|length|minimum|confirm|forgot|reset|update|create|verify|policy|manager|provider|service|storage|credential|module|process|function|number|boolean|object|return|const|await|import|export|class|public|private|http|www|file|path|(?<![a-z])env|redact|mask|censor|encrypt|stdin|prod|plain|basic|digest|sha\d|md5|origin|(?<![a-z])u?int\d|(?<![a-z])u\d\d|array|float|argon|pbkdf|utf|base64|\*\*/i;
const nameWord = new RegExp(
  patternsOf(
    secretNames.filter(({ isAnywhere }) => isAnywhere),
    "_?",
  ).join("|"),
  "i",
);
const codeSigns = /\$\{|\$\(|\{\{|=>|:\/\/|^[<[({/].*[>\])}/]$|\\[nrtux]|[a-z]{3,}[([]|\(\)|["'`]/;
const noPassword =
  /^[a-z_]+=|^[<{%[(@/.]|^\$(?!\d[a-z]+\d)|\$\{|\$\(|\{\{|\(\)|\w\(|\w\[|:\/\/|=>|^#[\da-f]{3,8}$|^v?\d+\.\d|^[a-z]\w*\.\w+\.\w+$(?<!\d)|\.[a-z]{2,4}$|\/.*\//;
/** What is made of all signs that a keyboard has, up to a blank or the quote that closes it. */
const quotedSymbols = /[!#-&(-[\]-_a-~]{10,80}(?=\\{0,3}["'`])/y;
const bareSymbols = /[!-~]{9,63}[!-+\--:<-~](?=[,;]?(?:\s|$))/y;
const lineValue = /[!-&(-;=-[\]-~]{6,64}(?=[ \t]{0,8}(?:\r?\n|$))/y;
const beginsLine = /(?:^|\n|\\n)[+ \t-]{0,8}(?:export[ \t]|set[ \t])?[\w.-]{0,32}$/;
const beginsField = /[?&][\w.-]{0,40}$/;
/** `--password`, but not `--no-password`, behind which another argument stands. */
const beginsOption = /(?:^|[ \t])--?(?!-|(?:no|disabled|empty|without|ask|prompt|use)-)[\w-]{0,24}$/;
const fourWords = /^[a-z]{3,12}-[a-z]{3,12}-[a-z]{3,12}-[a-z-]{3,38}$/;
const announces = /[ \t(](?:is|as|that's)[ \t]|\((?:the|your|my)[ \t]/;
const ahead =
  /(?<=[\s"'`*(])([!#-&+-Z^_a-z~]{6,64}?)["'`*]{0,3},?[ \t](?:\(|\(?(?:is|as|that's)[ \t])(?:(?:the|your|my|our|a)[ \t])?(?:[a-z-]{2,12}[ \t])?$/;
const letters = /[A-Za-z]/;
/** Between words of a password. */
const joints = /[-_.&#!+@*?$%^~]/;
const camelJoints = /[-_.&#!+@*?$%^~]|(?<=[a-z])(?=[A-Z])/;
/** Within a word this sign stands neither in prose nor in code, and before a capital none of these does. */
const loud = /[A-Za-z](?:![A-Za-z]|[#?+*$%][A-Z])/;

/** Finds passwords that people think up right behind a name that says so, where nothing but a value can stand. */
export function findPasswords(text: string, places: readonly number[]): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const at of places) {
    const name = names.get(text.charAt(at));
    if (at < from || name === undefined) continue;
    name.lastIndex = at;
    const named = name.exec(text);
    if (named === null || (named[1] !== undefined && otherToken.test(text.slice(Math.max(0, at - 16), at)))) continue;
    const ahead = named[1] === undefined ? passwordBefore(text, at) : undefined;
    if (ahead !== undefined) spans.push(ahead);
    toValue.lastIndex = name.lastIndex;
    if (!toValue.test(text)) continue;
    const end = toValue.lastIndex;
    if (isShort(text, at, name.lastIndex) && !wordBefore.test(text.slice(Math.max(0, at - 12), at))) continue;
    const span = passwordAt(text, end, { glue: text.slice(name.lastIndex, end), at, isKey: named[1] !== undefined });
    if (span === undefined) continue;
    spans.push(span);
    from = span.end;
  }
  return spans;
}

/** `use X as the password`, `X (the password of ...`: what comes first has a digit or a sign of its own. */
function passwordBefore(text: string, at: number): Span | undefined {
  if (!announces.test(text.slice(Math.max(0, at - 16), at))) return undefined;
  const before = text.slice(Math.max(0, at - 112), at);
  const [whole = "", value = ""] = ahead.exec(before) ?? [];
  if (value.startsWith(markStart) || !isThoughtUp(value, false)) return undefined;
  const start = at - whole.length + whole.indexOf(value);
  return { start, end: start + value.length, rule: "password" };
}

/** The letters that a pattern may begin with: one, or those of a group. */
function firstsOf(pattern: string): readonly string[] {
  const [, group] = /^\(\?:([^)]*)\)/.exec(pattern) ?? [];
  return group?.split("|").map((one) => one.charAt(0)) ?? [pattern.charAt(0)];
}

/** `pass`, `pwd`, `psk` and `pw` are parts of other words, too. */
function isShort(text: string, at: number, end: number): boolean {
  return /^p(?:ass|wd?|sk)(?![a-z])/i.test(text.slice(at, end)) && text.charAt(at) !== "P";
}

function passwordAt(
  text: string,
  at: number,
  { glue, at: nameStart, isKey }: { readonly glue: string; readonly at: number; readonly isKey: boolean },
): Span | undefined {
  opening.lastIndex = at;
  const isQuoted = opening.test(text);
  const start = isQuoted ? opening.lastIndex : at;
  const before = text.slice(Math.max(0, nameStart - 40), nameStart);
  const begins = beginsLine.test(before);
  lineValue.lastIndex = start;
  const isLine = !isQuoted && begins && glue.includes("=") && lineValue.test(text);
  const isField = glue === "=" && beginsField.test(before);
  const shape = isQuoted ? quotedValue : isField ? fieldValue : isLine ? lineValue : bareValue;
  const isOption = !isKey && beginsOption.test(before);
  const hasSign = isOption || /[=:：→›>|是为為は은는が「]|\?\?|\|\||[ \t]0[ \t]|\.(?:type|fill)/.test(glue);
  if (begins || (isQuoted && hasSign) || text.startsWith("--", nameStart - 2)) {
    const symbols = isQuoted ? quotedSymbols : bareSymbols;
    symbols.lastIndex = start;
    const found = symbols.exec(text)?.[0];
    if (found !== undefined && isSymbols(found)) return { start, end: start + found.length, rule: "password" };
  }
  cyrillicValue.lastIndex = start;
  if (!isKey && cyrillicValue.test(text)) return { start, end: cyrillicValue.lastIndex, rule: "password" };
  shape.lastIndex = start;
  if (!shape.test(text)) return undefined;
  const end = shape.lastIndex;
  const value = text.slice(start, end);
  if (value.startsWith(markStart)) return undefined;
  const next = text.charAt(end);
  // Without an indent, a line below a label is no value of it, unless it is the whole line.
  if (glue.endsWith("\n") && !(begins && /^[\r\n]?$/.test(next) && (/\d/.test(value) || fourWords.test(value))))
    return undefined;
  const isProse = /^[ \t]+[^\s=:]/.test(glue) || /[\u3040-\uffef]/.test(text.charAt(at - glue.length - 1));
  if (
    !isQuoted &&
    !isProse &&
    !glue.includes("=") &&
    /[,;)|\]]/.test(next) &&
    !(next === ")" && text.charAt(nameStart - 1) === "(")
  )
    return undefined;
  // Keys and tokens have a digit, and more than a word before it.
  if (isKey && (!hasSign || !/\d/.test(value) || value.length < 8 || !(isQuoted || isLine))) return undefined;
  if (!hasSign && !isQuoted && !/^[ \t]/.test(glue)) return undefined;
  // `--secret=orders-db` names one.
  const isNamed = /^(?:secret|cred)/i.test(text.slice(nameStart, nameStart + 6));
  // Words alone stand in quotes, in an element or on a line of their own.
  const areWords = fourWords.test(value);
  const isAlone =
    isQuoted ||
    (glue.endsWith(">") && next === "<") ||
    ((/^(?:=|:[=-])$/.test(glue) || isOption) && /^[\s"'`&}]?$/.test(next) && !isNamed) ||
    (begins && /^(?:[ \t]*=|[ \t]|:\s)/.test(glue) && /^[\r\n]?$/.test(next)) ||
    // Four words up to the line's end: `enter password for the new vault: seven-snails-cross-quietly`.
    (areWords && (/(?::[ \t]{1,2}|：)$/.test(glue) ? /^[\r\n]?$/ : /=$/.test(glue) ? /^[,;]$/ : /(?!)/).test(next));
  // "Tests pass 12of14".
  if (!hasSign && /^[^a-z_]?pass\W/i.test(text.slice(Math.max(0, nameStart - 1), nameStart + 5))) return undefined;
  if (!hasSign && !/\d/.test(value) && !loud.test(value) && !(isAlone && (areWords || (begins && !isQuoted))))
    return undefined;
  // What is joined by capitals alone is a name in code behind a colon or a blank, too.
  const isBare = !isQuoted && !isOption && /^(?:[ \t]|:(?![=-]))/.test(glue);
  const isPassword = isAlone && !isKey && !isNamed && !isBare ? isThoughtUpAlone : isThoughtUp;
  return isPassword(value, isQuoted || (isAlone && !isKey)) ||
    (isAlone && !isKey && hasSign && (!isBare || begins) && areScrambled(value)) ||
    (isLine && !/[(;[]|\w\.\w/.test(value) && gradeOf(value) !== undefined)
    ? { start, end, rule: "password" }
    : undefined;
}

/** Whether a word stands in it that stands in a password's place or says something about one. */
export const holdsUsualWord = (value: string): boolean => word.test(value) || nameWord.test(value);

/** Signs, letters and digits by turns, as neither people nor code write them. */
function isSymbols(whole: string): boolean {
  // So Django marks the keys that it makes for a start.
  const value = whole.replace(/^django-insecure-/, "");
  if (value.startsWith(markStart) || isFiller(value) || codeSigns.test(value)) return false;
  const signs = value.replace(/[\w.-]/g, "").length;
  return (
    signs >= 2 &&
    /[a-z]/.test(value) &&
    (/[A-Z]/.test(value) || (signs >= 6 && value.length >= 32)) &&
    (/\d/.test(value) || signs >= 3) &&
    changesOf(value) * 9 >= value.length * (value === whole ? 5 : 4)
  );
}

/** Letters alone, drawn from both cases: neither word nor name in code has so few usual pairs and so many turns. */
export function areScrambled(value: string): boolean {
  if (!/^[A-Za-z]{8,40}$/.test(value) || holdsUsualWord(value) || isFiller(value)) return false;
  const turns = value.match(/[a-z][A-Z]/g)?.length ?? 0;
  const capitals = value.match(/[A-Z]/g)?.length ?? 0;
  const { pairs, usual } = wordsIn(value.toLowerCase());
  return (
    (usual * 2 < pairs && (turns > 1 || (turns > 0 && capitals > 3))) || (turns > 2 && capitals * 5 >= value.length * 2)
  );
}

/** The same where nothing but a password stands, or `correctHorseBattery`: three words and more, none as short as those of code. */
export function isThoughtUpAlone(value: string): boolean {
  if (isThoughtUp(value, true)) return true;
  const words = value.split(/(?=[A-Z])/);
  return (
    words.length > 2 &&
    words.length < 7 &&
    words.every((one) => /^[A-Za-z][a-z]{3,12}$/.test(one)) &&
    !isFiller(value) &&
    !holdsUsualWord(value)
  );
}

/** Words with a digit or a sign among them, two words and more, and no word of code or of documents. */
export function isThoughtUp(value: string, isAlone: boolean): boolean {
  if (isFiller(value) || isKnownToAll(value) || word.test(value) || !letters.test(value) || noPassword.test(value))
    return false;
  if (/\d/.test(value)) return isAlone || changesOf(value) <= 10;
  if (nameWord.test(value)) return false;
  const words = value.split(/[!#@*+?$%^~]/.test(value) ? camelJoints : joints);
  return (
    (isAlone || loud.test(value)) &&
    words.length < 7 &&
    words.every((one) => /^[a-z]*$/i.test(one)) &&
    (words.filter((one) => one.length > 2).length > 1 || /^[a-z]{8,}!$/i.test(value))
  );
}
