import { markStart, type Span } from "./span.ts";
import { isSecret } from "./value-is-secret.ts";
import { isCredential, isInQuotes, valueStart } from "./value-start.ts";

const keyNames =
  /passw|passphrase|[_-]pass|secret|token|(?:api|ess|unt|ate|(?<!partit)ion|ing)[_-]?key|credential|authorization|bearer|securestring|kennwort|geheim(?:nis)?|schl(?:ü|ue|u)ssel|mot[ _-]?de[ _-]?passe|contrase(?:ñ|ny?|ni)a|(?<![a-z])(?:clave|chave|llave)|cl[eé][ _-]?(?:d['_]acc[eè]s|api|secr[eè]te|priv[eé]e)|senha|parola(?![a-z])|wachtwoord|jeton(?:[ _-]?d?'?acc[eè]s)?|segre[dt]o|hasło|haslo|l[oö]senord|passord|salasana|heslo|пароль|パスワード/iy;
const shortNames = /key|pwd|pw(?=["']?\]?[ \t]{0,4}[:=|])|pass|auth|creds?|pat|psk|pepper/iy;
/** What a person calls a password in some language; what people think up stands behind these. */
const passwordNames =
  /^(?:[_-]?pass|pwd|pw$|secret$|kennw|geheim|mot|contras|senha|parola|wacht|has|l[oö]sen|salas|heslo|парол|パス)/;
/** `sshpass`, `storepass`: words that `pass` ends, as against `bypass`. */
const joinedPass = /(?:store|key|ssh|db|root|user|sudo|become|admin|smtp|mail|ftp)$/i;
/** Suffixes that do not change a short name: `KEY_2`, `key-data`, `AUTH_PROD`. */
const shortEnding =
  /(?:[_-]?(?:prod|dev|test|live|staging|hex|b64|base64|value|data|text|string))?(?:s|[ _-]?\d{1,2})?(?![\w-])/iy;
const wordCharsMax = 48;
const lastWord = /(?:[A-Z]?[a-z0-9]+|[A-Z0-9]+)[_-]{0,2}$/;
/** Keys that open nothing, by the word before `key`; some of them are one word with it. */
const harmlessKeys = new Set(
  (
    "public publishable pub anon site cache primary foreign partition sort order index idx hash row store " +
    "query object group map react i18n translation registry dedup dedupe idempotency route routing lookup host hot " +
    "unique composite natural sequence schema bucket tur mon don hoc joc whis message msg locale lang column field " +
    "artifact lock file path image blob build task job run trace event item node entry record doc document data " +
    "session state prop props style theme menu tab panel active selected current last prev previous next parent " +
    "child root base content known sibling commit version model request thread conversation metadata etag sha " +
    "fingerprint up down left right arrow shift tooltip analytics metric cursor page section step socket"
  ).split(" "),
);
/** The name of a property before `.key`, or one of few words before `Key`. */
const keyOf =
  /(?:^|[^\w])([a-z]\w{0,20})[.:]$|\b(?:API|Api|api|Secret|secret|Access|access|Private|private|Master|Signing|Encryption|License|Unseal)[ ]$/;
const harmlessParents = new Set(
  "event ev e evt this self props item entry node option args arg params config opts kv pair element el x a b i n k it".split(
    " ",
  ),
);
/** `tokenId` names no token. */
const uuidNamed = /(?:id|ids|uuid|guid)$/i;
/** Places in a list of pages and names of libraries, which are called tokens, too. */
const otherTokens = /(?:page|sync|next|continuation|cancellation|cursor|resume|public[_-]?key)[_-]?$/i;
/** A name of AWS's has the kind of what it names before it. */
const isInArn = /\barn:[\w:-]{1,64}:$/;
/** Keys that browsers are given. */
const publicValue = /^(?:phc_|pk_(?:live|test)_|sb_publishable_)/;
/** `token_type` and `secretName` say what it is, not what it holds. */
const otherNamed = /(?:type|name|hasher|validator|polic(?:y|ie)|rule)s?$/i;
const restOfName = /[\w-]{0,32}/y;
const scheme = /(?:[Bb]earer|[Bb]asic|[Tt]oken|[Aa]pi[Kk]ey|BEARER|BASIC)[ \t]{1,4}/y;
const opening = /(?:[brfuLN@$]{0,2}#{0,2}\\{0,3})?(?:"""|'''|["'`])/y;

/** Printable ASCII but quotes, angle brackets and the backslash; without quotes around it, also but `,:;(){}[]&|`. */
const quotedValue = /[!#-&(-;=?-[\]-_a-~]{8,160}/y;
const bareValue = /[!#-%*+\--9=?-Z^_a-z~]{8,160}/y;
/** All of a line, where a name and a sign begin it: passwords may have commas. */
const valueToLineEnd = /[!#-%*+\--9=?-Z^_a-z~,]{7,63}[!#-%*+\--9=?-Z^_a-z~](?=[ \t]{0,8}(?:\r?\n|$))/y;
const nameBeginsLine = /(?:^|\n)[ \t]{0,24}(?:export[ \t])?[\w.-]{0,48}$/;
const restOfValue = /[\w+/=.~%-]/;

interface Name {
  readonly start: number;
  readonly end: number;
  /** In lower case. */
  readonly text: string;
  readonly isShort: boolean;
}

/**
 * Finds values that a key's name calls a secret, where they look drawn by a machine; `names` is where one may begin.
 */
export function findAssigned(text: string, names: readonly number[]): Span[] {
  const spans: Span[] = [];
  let [longFrom, shortFrom] = [0, 0];
  for (const start of names) {
    if (start >= longFrom) {
      const span = longNameAt(text, start);
      if (span !== undefined) {
        spans.push(span);
        longFrom = span.end;
      }
    }
    if (start < shortFrom) continue;
    const span = shortNameAt(text, start);
    if (span === undefined) continue;
    spans.push(span);
    shortFrom = span.end;
  }
  return spans;
}

/** `api-key` begins before `key`, `_pass` and `mot de passe` before `pass`, `contraseña` before `rase`. */
const lettersBefore: Readonly<Record<string, readonly number[]>> = { k: [4, 3, 0], p: [1, 0, 7, 5], r: [4], s: [0, 2] };
const itself = [0];

function longNameAt(text: string, at: number): Span | undefined {
  for (const before of lettersBefore[text.charAt(at).toLowerCase()] ?? itself) {
    const start = at - before;
    if (start < 0) continue;
    keyNames.lastIndex = start;
    if (!keyNames.test(text)) continue;
    const end = keyNames.lastIndex;
    const span = secretOf(text, { start, end, text: text.slice(start, end).toLowerCase(), isShort: false });
    if (span !== undefined) return span;
  }
  return undefined;
}

/**
 * `STRIPE_KEY`, `Pwd`, `X-Auth`: short names say less, so nothing else may stand behind them, and only drawn values
 * count.
 */
function shortNameAt(text: string, start: number): Span | undefined {
  shortNames.lastIndex = start;
  if (!shortNames.test(text)) return undefined;
  const name = text.slice(start, shortNames.lastIndex).toLowerCase();
  shortEnding.lastIndex = shortNames.lastIndex;
  if (!shortEnding.test(text)) return undefined;
  const end = shortEnding.lastIndex;
  const before = text.slice(wordStart(text, start), start);
  if (name === "key" && precedesOrdinaryKey(before) && !(before === "" && opens(text, start))) return undefined;
  if (name === "pat" && !/[_-]$/.test(before)) return undefined;
  if (name === "pw" && /[A-Za-z0-9]$/.test(before) && !text.startsWith("Pw", start)) return undefined;
  if (name === "pwd" && !/(?:[^A-Za-z]|[Bb])$/.test(` ${before}`)) return undefined;
  // `PASS:` says how a test went, `bypass` is a word.
  const isSwitch = text.charAt(start - 1) === "/" && text.charAt(end) === ":";
  if (
    name === "pass" &&
    !isSwitch &&
    !/[_-]$/.test(before) &&
    !text.startsWith("Pass", start) &&
    !joinedPass.test(before)
  )
    return undefined;
  return secretOf(text, { start: start - before.length, end, text: name, isShort: true });
}

function secretOf(text: string, name: Name): Span | undefined {
  restOfName.lastIndex = name.end;
  const rest = restOfName.exec(text)?.[0] ?? "";
  if (otherNamed.test(rest)) return undefined;
  if (name.text === "token" && otherTokens.test(text.slice(Math.max(0, name.start - 16), name.start))) return undefined;
  if (name.text === "secret" && isInArn.test(text.slice(Math.max(0, name.start - 72), name.start))) return undefined;
  const value = valueStart(text, name);
  if (value === undefined) return undefined;
  const quoted = step(opening, text, value);
  const isQuoted = quoted !== value || isInQuotes(text, value);
  const at = step(scheme, text, quoted);
  const end = isQuoted ? step(quotedValue, text, at) : endOfBare(text, at, name.start);
  if (end === at || text.startsWith(markStart, at)) return undefined;
  const next = text.charAt(end);
  if (!isQuoted && (next === "(" || next === "[" || next === "{")) return undefined;
  const judged = {
    isShort: name.isShort,
    isBasic: name.text === "auth" || (at !== quoted && /basic/i.test(text.slice(quoted, at))),
    // `secret:1.3@sha256:...` is an image; a password ends where its line or list does.
    isPassword: passwordNames.test(name.text) && (isQuoted || next !== ":"),
    isCertain: isCredential(text, name),
    isIdentifier: uuidNamed.test(rest),
  };
  if (publicValue.test(text.slice(at, at + 16))) return undefined;
  if (!isQuoted && isNamedAlike(text.slice(at, end), name.text)) return undefined;
  return isSecret(text.slice(at, end), judged)
    ? { start: at, end: throughRest(text, end), rule: "assigned" }
    : undefined;
}

function endOfBare(text: string, at: number, nameStart: number): number {
  const end = step(bareValue, text, at);
  const stop = end === at ? text.slice(at, at + 8).indexOf(",") : text.charAt(end).indexOf(",");
  if (stop < 0 || !nameBeginsLine.test(text.slice(Math.max(0, nameStart - 80), nameStart))) return end;
  const all = step(valueToLineEnd, text, at);
  return all === at ? end : all;
}

function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < wordCharsMax && /[\w-]/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

const tokenSettings = /["'](?:jwt|jwe|encryption|signing|hmac)\w{0,16}["']\s{0,4}:\s{0,4}\{[^{}]{0,200}["']$/i;

/** `?key=`, `stripe.key=`, `API Key:`: what stands before says that it opens something. */
function opens(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 24), start);
  if (/[?&]$/.test(before)) return true;
  if (/["']$/.test(before) && tokenSettings.test(text.slice(Math.max(0, start - 240), start))) return true;
  const found = keyOf.exec(before);
  const parent = found?.[1];
  return found !== null && (parent === undefined || !(harmlessKeys.has(parent) || harmlessParents.has(parent)));
}

function precedesOrdinaryKey(before: string): boolean {
  const word =
    lastWord
      .exec(before)?.[0]
      .replace(/[_-]+$/, "")
      .toLowerCase() ?? "";
  return word === "" || harmlessKeys.has(word);
}

/** In code, `exports.k8sTokenProvider = k8sTokenProvider` is a name again. */
function isNamedAlike(value: string, name: string): boolean {
  return /^[A-Za-z_][\w.]{0,160}$/.test(value) && value.toLowerCase().includes(name);
}

function step(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function throughRest(text: string, from: number): number {
  let end = from;
  while (end < text.length && restOfValue.test(text.charAt(end))) end += 1;
  return end;
}
