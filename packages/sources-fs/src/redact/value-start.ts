/** From a key's name to its value: `"password": "`, `apiKey: string = '`, `<password>`, `--token `, `TOKEN=`. */
const toValue =
  /[\w-]{0,32}(?:\\{0,3}["'`])?(?:\]|\[\d{0,4}\])?(?:[^ -~\n]\[[\d;]{0,12}m)?[ \t]{0,40}(?:(?::[ \t]{0,4})?(?:&(?:'static[ \t])?)?(?:[Ss]tr(?:ing)?|Final|Optional\[str\])[ \t]{0,4})?(?:\?\?=|\|\|=|:=|=>|={1,3}|\*{0,2}:\*{0,2}|>|%3[Dd]|(?<=["'`][ \t])to(?=[ \t]["'`]))[ \t]{0,8}/y;
/** `\e[33m` or, in JSON, `\\u001b[33m`. */
const toColoured = /(?:[^ -~\n]|\\{1,2}u001b|\\{1,2}x1b|\\{1,2}033)\[[\d;]{0,12}m/y;
/** `["..."]`, `string(32) "..."` of PHP, `$(cat <<E`. */
const toListed = /\[[ \t]{0,2}(?=["'])|\s{1,12}string\(\d{1,4}\)[ \t]|\$\(cat[ \t]<<-?['"]?\w{1,24}['"]?\n/y;
/** `std::string token{"..."}`, `const token{"..."}`. */
const toBraced = /[\w-]{0,32}\{(?=["'`])/y;
/** `process.env.X || "..."`, and the brace of JSX. */
const toFallback = /process\.env(?:\.\w{1,64}|\[["']\w{1,64}["']\])[ \t]{0,4}(?:\|\||\?\?)[ \t]{0,4}|\{(?=["'`])/y;
/** `["X"]) or "..."`, `X ?? "..."`. */
const toOtherwise =
  /[\w-]{0,32}(?:["']?[\])])?[ \t]{0,4}(?:(?:\|\||\?\?|\?:|or)[ \t]{1,4}|\.unwrap_or(?:_else)?\((?:\|_?\|[ \t])?)(?=["'`])/y;
/** `String::from("...")`, `[]byte("...")`, `SecretStr("...")`. */
const toWrapped =
  /(?:\[\]byte|Buffer\.from|(?:[a-z]\w{0,12}\.)?[A-Z]\w{1,24}(?:(?:::|\.)\w{1,12})?)\([ \t]{0,2}(?=[brf]?["'`])/y;
/** `!!str ...` and `&name ...` in YAML. */
const toTagged = /(?:!!?\w{1,16}|&[\w-]{1,24})[ \t]{1,4}/y;
/** A change of Terraform's: `"old" -> "new"`. */
const toChanged = /"[^"\n]{0,160}"[ \t]{1,4}->[ \t]{1,4}(?=")/y;
/** `--name /app/db_password --type SecureString --value "..."`. */
const toFlagValue = /[\w-]{0,32}["']?[ \t][^\n;|]{0,80}?--value(?:[ \t]|=)/y;
const nameFlagBefore = /--name(?:[ \t]|=)["']?[\w/.-]{0,64}$/;
/** `set :api_token, "..."`. */
const toSymbolValue = /[\w-]{0,32},[ \t]{1,4}(?=["'])/y;
const symbolBefore = /[\s(]:\w{0,40}$/;
/** `builder.password("...")`, `.bearer_auth("...")`. */
const toCalled = /\w{0,24}\([ \t]{0,4}(?=["'`])/y;
const methodBefore = /(?:\.|->|::)\w{0,24}$/;
/** `SetBasicAuth("ada", "...")`, `auth=("ada", "...")`. */
const toSecond =
  /\w{0,24}(?:[ \t]{0,2}=[ \t]{0,2})?\([ \t]{0,4}["'`][\w.@-]{1,80}["'`],[ \t]{0,4}(?:Some\()?(?=["'`])/y;
/** `"x": { "sensitive": true, "value": "..." }`, and the same in YAML. */
const toInner =
  /[\w-]{0,32}\\{0,3}["'`]?[ \t]{0,4}[:=][ \t]{0,4}\{[^{}]{0,160}?[\s"',\\n](?:value|default)\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}/y;
const toInnerLine = /[\w-]{0,32}:[ \t]{0,4}\r?\n[ \t]{1,24}value:[ \t]{1,4}/y;
/** Tables: `| x | ... |`, and columns that blanks part, where the name begins its line and the value ends it. */
const toCell = /[\w-]{0,32}[ \t]{0,60}[|\u2502\u2503][ \t]{1,4}(?=[^\s|]{8,200}[ \t]{0,120}[|\u2502\u2503])/y;
const toColumn = /[\w-]{0,32}(?:[ \t]{3,60}|\t)(?=[^\s"'`(){}[\]|]{12,200}[ \t]{0,4}(?:\r?\n|$|\\n))/y;
const lineStart = /(?:^|\n|\\n)[ \t]{0,24}[\w.-]{0,40}$/;
/** What tools ask: `AWS Secret Access Key [None]: ...`. */
const toAsked = /[ \t][Aa]ccess[ \t][Kk]ey(?:[ \t]\[[\w*]{0,24}\])?:[ \t]{1,4}/y;
/** `htpasswd -bc .htpasswd ada ...`. */
const toBatch = /d[ \t]{1,4}-\w{0,6}b\w{0,6}[ \t]{1,4}\S{1,120}[ \t]{1,4}\S{1,80}[ \t]{1,4}/y;
/** `ConvertTo-SecureString "..." -AsPlainText`. */
const toSecure = /[ \t]{1,4}(?:-String[ \t]{1,4})?(?=["'])/y;
/** `The token is: ...`, `password for the database: ...`, `password is generated for root@localhost: ...`. */
const toProse =
  /[\w-]{0,12}[ \t](?:(?:für|pour|para)[ \t][^\n:,.]{1,32}[ \t])?(?:(?:is[ \t]generated[ \t])?for[ \t][\w.@-]{1,40}(?:[ \t][\w.-]{1,24})?:|is|was|lautet|ist|est|es|é)[ \t]?[:=]?[ \t]{1,2}["'`]?(?=\S{8})/y;
/** `use the API key ...`: without a sign between them, only what is long counts. */
const toPlain =
  /[\w-]{0,6}[ \t](?=["'`]?[\w+/=-]{0,24}\d[\w+/=-]{0,120}["'`]?(?:[\s,;]|\.\s|\\n|$))(?=["'`]?[\w+/=-]{20})/y;
/** `the following password to proceed:`, `Your new API key is:`: alone on the next line but one. */
const toFollowing =
  /[\w-]{0,6}(?:[ \t][\w \t]{0,40})?:[ \t]{0,4}(?:\r?\n){1,2}[ \t]{0,8}["'`]?(?=[^\s"'`]{8,200}["'`]?[ \t]{0,4}(?:\r?\n|$))/y;
const followingBefore = /(?:following|new|your|generated|initial|temporary|this)[ \t][\w \t]{0,24}$/i;
/** `use ... as the password`. */
const asBefore = /(?:^|\s)["'`]?(\S{8,160})[ \t]as[ \t](?:the|my|your|its)[ \t][\w \t]{0,16}$/;
/** `page.fill('input[name=password]', '...')`, `getByLabel('Password').fill('...')`. */
const toFilled =
  /[\w-]{0,12}\]?["'`](?:,[ \t]{0,4}|\)\.(?:fill|type|sendKeys|setValue|pressSequentially)\([ \t]{0,4})(?=["'`])/y;
const filledBefore = /\.(?:fill|type|setValue|sendKeys|get|getBy\w{1,16}|locator|findElement)\([^()\n]{0,64}$/;
/** `##vso[task.setvariable variable=X;issecret=true]...`. */
const toMarked = /=true\]/y;
/** Commands that take a name and a value as two words. */
const settingBefore =
  /(?:^|\s)(?:ENV|ARG|#define|read[ \t]-rs?|setx|setenv|set[ \t]-[gU]{0,2}x|launchctl[ \t]setenv|config[ \t]set[ \t]--secret|variable[ \t]set|user-secrets[ \t]set|set-env|config(?:ure)?[ \t]set|secrets?[ \t](?:set|put)|-Path)[ \t]{1,4}["']?[\w/:.-]{0,48}$/;
const toArgument = /[\w-]{0,32}["']?[ \t]{1,4}(?:--body[ \t=]|-b[ \t]|-Value[ \t]|<<<[ \t]?)?/y;
const toBearer = /[ \t]{1,4}/y;
/** YAML has a value on the next line, further in, and so have long assignments. */
const toNextLine = /(?:[|>][+-]?)?[ \t]{0,4}(?:\\{1,3}n|\r?\n)[+-]?[ \t]{1,24}(?=["'`]?[\w+/=.~!@#%^*-]{8})/y;

/** `- name: X` and `value: Y`, `{"name":"X","value":"Y"}`, `key="X" value="Y"`, perhaps with a type between them. */
const pairBefore =
  /(\\{0,3}["'][Vv]alue\\{0,3}["'][ \t]{0,4}:[ \t]{0,4}\\{0,3}["'])[^"'\\\n]{8,160}\\{0,3}["'],[\s\\n]{0,40}(?:\\{0,3}["']\w{1,24}\\{0,3}["'][ \t]{0,4}:[ \t]{0,4}["'\w]{1,24},[\s\\n]{0,40})?\\{0,3}["'](?:[Nn]ame|[Kk]ey)\\{0,3}["'][ \t]{0,4}:[ \t]{0,4}\\{0,3}["'][\w.-]{0,48}$/;
const toValueBeside =
  /\\{0,3}["'`]?[ \t]{0,4},?(?:\\{1,3}r?\\{0,3}n)?[\s+|-]{0,40}(?:\\{0,3}["'][Tt]ype\\{0,3}["'][ \t]{0,4}:[ \t]{0,4}\\{0,3}["']\w{1,24}\\{0,3}["'],\s{0,40})?\\{0,3}["'`]?(?:[Ss]tring|[Ss]ecret|[Dd]efault)?_?(?:[Vv]alue|VALUE|[Dd]efault)\\{0,3}["'`]?[ \t]{0,4}(?:=>|[:=>])[ \t]{0,4}/y;
/** `define('X', 'Y')`, `setenv("X", "Y")`. */
const toNextArgument = /\\{0,3}["'`][ \t]{0,4},[ \t]{0,4}(?=\\{0,3}["'`])/y;
const argumentBefore = /(?:\(|[[,]\s{0,8}\[)[ \t]{0,4}\\{0,3}["'`][\w.-]{0,60}$/;
/** `<key>X</key><string>Y</string>`. */
const toNextElement = /<\/\w{1,16}>\s{0,40}<\w{1,16}>/y;
/** `variable "X" { type = string, default = "Y" }`. */
const toDefault = /"[ \t]{0,4}\{[^{}]{0,240}?\bdefault[ \t]{0,20}=[ \t]{0,8}/y;
/** `PASSWORD 'x'` in SQL, `password x` in a netrc file. */
const restOfPassword = /(?:or)?d(?!\w)/iy;
const toQuoted = /[ \t]{1,4}(?=["'])/y;
const toWord = /[ \t]{1,4}(?=\S{4})/y;
const loginCharsMax = 120;
const loginBefore = /(?:login|account|machine)[ \t]{1,4}\S{1,80}\s{1,20}$/;
const connectionBefore = /=[^;=\s]{1,64};[ \t]{0,2}$/;

const anyInner = [toInner, toInnerLine];
/** By the first letter of a name; only what is called so takes a login's two parts. */
const innerOf: Readonly<Record<string, readonly RegExp[]>> = {
  a: [toSecond, ...anyInner],
  c: [toSecond, ...anyInner],
  p: [toSecond, ...anyInner],
};

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

function directly(text: string, { start, end, text: name, isShort }: NameInText): number | undefined {
  for (const inner of innerOf[name.charAt(0)] ?? anyInner) {
    const at = step(inner, text, end);
    if (at !== end) return at;
  }
  const marked = name === "secret" ? step(toMarked, text, end) : end;
  if (marked !== end) return marked;
  const at = step(toValue, text, end);
  const next = text.charAt(at);
  if (next === "\n" || next === "\r" || at === end) {
    const following = step(toFollowing, text, end);
    if (following !== end && followingBefore.test(text.slice(Math.max(0, start - 40), start))) return following;
  }
  if (at !== end) return throughWords(text, at);
  for (const other of [toOtherwise, toBraced]) {
    const there = step(other, text, end);
    if (there !== end) return there;
  }
  if (name === "securestring") return positionOrUndefined(step(toSecure, text, end), end);
  const asked = name === "secret" ? step(toAsked, text, end) : end;
  if (asked !== end) return asked;
  const called = isShort ? end : step(toCalled, text, end);
  if (called !== end && methodBefore.test(text.slice(Math.max(0, start - 28), start))) return called;
  const column = step(toColumn, text, end);
  if (column !== end && lineStart.test(text.slice(Math.max(0, start - 72), start))) return column;
  const cell = step(toCell, text, end);
  if (cell !== end) return cell;
  if (name === "bearer") return positionOrUndefined(step(toBearer, text, end), end);
  const prose = step(toProse, text, end);
  if (prose !== end) return prose;
  const as = text.slice(Math.max(0, start - 24), start).includes(" as ")
    ? asBefore.exec(text.slice(Math.max(0, start - 200), start))
    : null;
  if (as !== null) return start - as[0].length + as[0].indexOf(as[1] ?? "");
  const argument = step(toArgument, text, end);
  if (argument !== end && (settingBefore.test(text.slice(Math.max(0, start - 72), start)) || isOption(text, start))) {
    return argument;
  }
  if (name === "secret" && step(toQuoted, text, end) !== end) return step(toQuoted, text, end);
  if (name === "key" || name === "token" || name === "secret") {
    return positionOrUndefined(step(toPlain, text, end), end);
  }
  if (name !== "passw") return undefined;
  const batch = text.startsWith("ht", start - 2) ? step(toBatch, text, end) : end;
  if (batch !== end) return batch;
  const word = step(restOfPassword, text, end);
  if (word === end) return undefined;
  const quoted = step(toQuoted, text, word);
  if (quoted !== word) return quoted;
  return loginBefore.test(text.slice(Math.max(0, start - loginCharsMax), start))
    ? positionOrUndefined(step(toWord, text, word), word)
    : undefined;
}

/** What may stand between the sign and the value. */
function throughWords(text: string, at: number): number {
  return [toNextLine, toListed, toFallback, toWrapped, toTagged, toChanged].reduce(
    (from, words) => step(words, text, from),
    at,
  );
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
  const before = text.slice(Math.max(0, start - 80), start);
  if (nameFlagBefore.test(before)) return positionOrUndefined(step(toFlagValue, text, end), end);
  if (next === "," && symbolBefore.test(before)) return positionOrUndefined(step(toSymbolValue, text, end), end);
  const filled = step(toFilled, text, end);
  if (filled !== end && filledBefore.test(text.slice(Math.max(0, start - 88), start))) return filled;
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
  return /(?:^|[\s"'`])--?[\w-]*$/.test(before);
}

function step(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
