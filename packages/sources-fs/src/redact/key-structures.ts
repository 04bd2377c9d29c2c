import { isAfterEscape } from "./escapes.ts";
import { isFiller } from "./fillers.ts";
import type { Span } from "./span.ts";

interface Structure {
  readonly rule: string;
  readonly start: string;
  readonly shape: RegExp;
}

/** Keys whose beginning is cut off from the run by a dot, a slash or a colon. */
const beforeDot: readonly Structure[] = [
  { rule: "sendgrid", start: "SG.", shape: /SG\.[\w-]{18,26}\.[\w-]{38,48}/y },
  { rule: "vault", start: "hvs.", shape: /hvs\.[\w-]{24,300}/y },
  { rule: "vault", start: "hvb.", shape: /hvb\.[\w-]{24,300}/y },
  { rule: "vault", start: "hvr.", shape: /hvr\.[\w-]{24,300}/y },
  { rule: "google", start: "ya29.", shape: /ya29\.[\w-]{20,1000}/y },
  { rule: "slack", start: "xoxe.", shape: /xoxe\.[\w.-]{20,400}/y },
  { rule: "cloudflare", start: "v1.", shape: /v1\.0-[0-9a-f]{24}-[0-9a-f]{140,150}/y },
  { rule: "doppler", start: "dp.pt.", shape: /dp\.pt\.[\w.-]{40,80}/y },
  { rule: "doppler", start: "dp.st.", shape: /dp\.st\.[\w.-]{40,80}/y },
  { rule: "dropbox", start: "sl.", shape: /sl\.(?:u\.)?[\w-]{120,1400}/y },
  { rule: "google", start: "AQ.", shape: /AQ\.Ab8[\w-]{40,100}/y },
  {
    rule: "bitwarden",
    start: "0.",
    shape: /0\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/]{22}==/y,
  },
];
const afterSlash: readonly Structure[] = [{ rule: "google", start: "1//", shape: /1\/\/0[\w-]{30,300}/y }];

const dot = 46;
const slash = 47;
const colon = 58;
const bar = 124;
const percent = 37;
const exclamation = 33;
const dollar = 36;
const asterisk = 42;
const isQuote = (code: number): boolean => code === 34 || code === 39;

const discord = /[MNO][\w-]{22,28}\.[\w-]{5,8}\.[\w-]{27,45}(?![\w-])/y;
const airtable = /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/y;
const terraform = /[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,90}/y;
const jwt = /ey[\w-]{15,2000}\.ey[\w/-]{15,4000}(?:\.[\w/=-]{0,2000})?/y;
/** Parts of an encrypted token: header, key, vector, content, tag; the key is empty where it was agreed on. */
const encryptedJwt = /eyJ[\w-]{15,2000}\.[\w-]{0,1000}\.[\w-]{16}\.[\w-]{1,4000}\.[\w-]{22}(?![\w-])/y;
const salesforce = /00D[A-Za-z0-9]{12,15}![\w.]{80,200}/y;
const braintree = /access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[0-9a-f]{32}(?!\w)/y;
/** Keys of Azure's models and of Azure DevOps have this in one of two places. */
const azureSignature = "JQQJ99";
const azureKey = /[A-Za-z0-9]{80,112}(?!\w)/y;
const mailchimp = /[0-9A-Fa-f]{32}-us\d{1,2}(?![\w-])/y;
const mailgun = /[0-9a-h]{32}-[0-9a-h]{8}-[0-9a-h]{8}(?![\w-])/iy;
const maxmind = /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![\w-])/y;
const oldVault =
  /s\.(?=[A-Za-z]{0,23}\d)(?=[a-z0-9]{0,23}[A-Z]|[0-9a-f]{0,23}[g-z][a-z]{0,20}\d[a-z]{0,20}\d)[A-Za-z0-9]{24}(?![\w(.-])/y;
const facebook = /\d{15,16}[|%][\w-]{27,40}(?![\w-])/y;
const azure = /[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/y;
/** What Windows keeps of a password, and what it answers with: `ada:500:X:X:::`, `ada::CORP:X:X:X`. */
const windowsHash = /[\da-f]{32}(?=:::)/iy;
const windowsAnswer = /[\da-f]{32}(?=:[\da-f]{32})/iy;
const asanaBefore = /(?<![\w/])\d\/\d{15,17}\/\d{15,17}:$/;
const challenge = /::[^\s:]{1,64}:[\da-f]{16}:$/i;
/** As people type them to pay once: `C0V2Y-8UW1K-NPMAG-49QID-LGZPR`. */
const productKey = /(?=[A-Z-]{0,26}\d)(?=[\d-]{0,20}[A-Z])[A-Z\d]{5}(?:-[A-Z\d]{5}){4}(?![\w-])/y;
const telegram = /\d{5,16}:A[\w-]{33,36}(?![\w-])/y;
/** Hashes of passwords as MySQL and older Postgres keep them, and keytabs when they are listed. */
const mysqlHash = /[\dA-F]{40}(?![\w*])/y;
const postgresHash = /md5[\da-f]{32}(?!\w)/y;
/** What stands before a key of hexadecimal digits in quotes: Twilio's account, a list of wallets. */
const account = /\bAC[\da-f]{32}["'],\s{0,16}["']$/;
const accountToken = /[\da-f]{32}(?!\w)/y;
/** LiveKit's key by its name. */
const liveKey = /\bAPI[A-Za-z\d]{10,16}["']?[:,][ \t]{1,4}["']?$/;
const liveSecret = /(?=[a-z\d]{0,43}[A-Z])(?=[A-Za-z]{0,43}\d)[A-Za-z\d]{42,44}(?!\w)/y;
const wallets = /\b(?:accounts["']?[ \t]{0,2}[:=][ \t]{0,2}\[|Wallet\()\s{0,16}["']$/;
const walletKey = /0x[\da-f]{64}(?!\w)/iy;

/** A key whose first part stands before the run. */
export function keyBefore(text: string, start: number): Span | undefined {
  const before = text.charCodeAt(start - 1);
  if (before !== dot && before !== slash) return undefined;
  for (const known of before === dot ? beforeDot : afterSlash) {
    const at = start - known.start.length;
    if (at < 0 || !text.startsWith(known.start, at) || isWithinWord(text, at)) continue;
    return match(text, at, known);
  }
  return undefined;
}

/** Keys that have no beginning of their own, only a structure around the run. */
export function keyAround(text: string, start: number, end: number): Span | undefined {
  const before = text.charCodeAt(start - 1);
  if (before === colon && end - start >= 34) {
    let digits = start - 1;
    while (digits > 0 && start - digits < 17 && isDigit(text, digits - 1)) digits -= 1;
    return match(text, digits, { rule: "telegram", shape: telegram });
  }
  if (before === colon && end - start === 32) {
    const isAnswer = challenge.test(text.slice(Math.max(0, start - 84), start));
    const asana = asanaBefore.exec(text.slice(Math.max(0, start - 40), start))?.[0].length;
    if (asana !== undefined) return { start: start - asana, end, rule: "asana" };
    return match(text, start, { rule: "hash", shape: isAnswer ? windowsAnswer : windowsHash });
  }
  if (before === bar || before === percent) {
    for (const digits of [16, 15]) {
      const span = match(text, start - 1 - digits, { rule: "facebook", shape: facebook });
      if (span !== undefined) return span;
    }
  }
  if (before === exclamation) {
    for (const chars of [15, 18]) {
      const span = match(text, start - 1 - chars, { rule: "salesforce", shape: salesforce });
      if (span !== undefined) return span;
    }
  }
  if (before === dollar && end - start === 32) {
    const piece = text.slice(Math.max(0, start - 44), start);
    const at = piece.indexOf("access_token$");
    if (at >= 0) return match(text, start - piece.length + at, { rule: "braintree", shape: braintree });
  }
  if (before === dot) {
    if (end - start === 24 && text.charAt(start - 2) === "s" && !isWithinWord(text, start - 2)) {
      return match(text, start - 2, { rule: "vault", shape: oldVault });
    }
    if (text.startsWith("atlasv1", start - 8)) return match(text, start - 23, { rule: "terraform", shape: terraform });
    if (text.startsWith("pat", start - 18)) return match(text, start - 18, { rule: "airtable", shape: airtable });
  }
  if (end - start > 41 && end - start < 45 && liveKey.test(text.slice(Math.max(0, start - 32), start)))
    return match(text, start, { rule: "livekit", shape: liveSecret });
  if (isQuote(before)) {
    if (end - start === 32 && account.test(text.slice(Math.max(0, start - 56), start)))
      return match(text, start, { rule: "twilio", shape: accountToken });
    if (end - start === 66 && wallets.test(text.slice(Math.max(0, start - 40), start)))
      return match(text, start, { rule: "wallet", shape: walletKey });
  }
  if (before === asterisk && end - start === 40) return match(text, start, { rule: "hash", shape: mysqlHash });
  if (end - start === 35 && text.startsWith("md5", start))
    return match(text, start, { rule: "hash", shape: postgresHash });
  // A dot ends a sentence, too.
  return (text.charCodeAt(end) === dot ? keyBeforeDot(text, start) : undefined) ?? keyByEnd(text, start, end);
}

/** Known by what stands in the middle, where more dots, tildes or signs may part the rest. */
export function keyByMiddle(text: string, from: number, start: number): Span | undefined {
  const before = text.slice(from, start);
  const tilde = before.indexOf("Q~");
  if (tilde >= 4) return match(text, from + tilde - 4, { rule: "azure", shape: azure });
  const atlas = before.indexOf(".atlasv1.");
  return atlas < 14 ? undefined : match(text, from + atlas - 14, { rule: "terraform", shape: terraform });
}

function keyBeforeDot(text: string, start: number): Span | undefined {
  if (text.startsWith("ey", start)) {
    return match(text, start, { rule: "jwt", shape: jwt }) ?? match(text, start, { rule: "jwt", shape: encryptedJwt });
  }
  return match(text, start, { rule: "discord", shape: discord });
}

/** Known by how they end, or by how they are parted alone. */
function keyByEnd(text: string, start: number, end: number): Span | undefined {
  const chars = end - start;
  const isAzure = chars >= 80 && [52, 76].some((at) => text.startsWith(azureSignature, start + at));
  if (isAzure) return match(text, start, { rule: "azure", shape: azureKey });
  if (chars === 29) return match(text, start, { rule: "licence", shape: productKey });
  if (chars === 40) return match(text, start, { rule: "maxmind", shape: maxmind });
  if (chars === 36 || chars === 37) return match(text, start, { rule: "mailchimp", shape: mailchimp });
  return chars === 50 ? match(text, start, { rule: "mailgun", shape: mailgun }) : undefined;
}

function match(text: string, at: number, { rule, shape }: Omit<Structure, "start">): Span | undefined {
  if (at < 0) return undefined;
  shape.lastIndex = at;
  if (!shape.test(text) || isFiller(text.slice(at, shape.lastIndex))) return undefined;
  return { start: at, end: shape.lastIndex, rule };
}

function isWithinWord(text: string, at: number): boolean {
  return /[A-Za-z0-9]/.test(text.charAt(at - 1)) && !isAfterEscape(text, at);
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}
