import type { Anchors } from "./anchors.ts";
import { isUuid, looksDrawn } from "./randomness.ts";
import { markStart, type Span } from "./span.ts";
import { gradeOf } from "./token-grade.ts";

const login = /([^\s:@/"'`<>\\]{0,128}):([^\s@/"'`<>\\]{1,512})@(?=[\w[-])/y;
/** A password may have the sign that ends it, too: the last one before the host does. */
const restOfPassword = /[^\s@/"'`<>\\?#,;&]{1,128}@(?=[\w[-])/y;
const drawnUser = /^(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{8,64}$/i;
/** Sentry's addresses hold a key that browsers have, too. */
const publicHost = /^@[\w.-]{0,48}\bsentry\.io/;
const nameOnly = /([\w.%~+=-]{20,512})@(?=[\w[])/y;
const escaped = /%[\dA-F]{2}/gi;
const webhooks = [
  { rule: "slack", address: /hooks\.slack\.com\/(?:services|workflows|triggers)\//y },
  { rule: "discord", address: /(?:[\w-]{1,20}\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{8,24}\//y },
  { rule: "zapier", address: /hooks\.zapier\.com\/hooks\/catch\//y },
  { rule: "feishu", address: /open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook\//y },
  { rule: "oracle", address: /objectstorage\.[\w-]{2,24}\.oraclecloud\.com\/p\//y },
  { rule: "bark", address: /api\.day\.app\//y },
  { rule: "ifttt", address: /maker\.ifttt\.com\/(?:use|trigger\/\w{1,40}\/(?:json\/)?with\/key)\//y },
  { rule: "chime", address: /hooks\.chime\.aws\/incomingwebhooks\//y },
  { rule: "teams", address: /[\w-]{1,64}\.webhook\.office\.com\/webhookb2\//y },
];
const rest = /[\w@/.+-]{14,400}/y;
/** Signatures of addresses that work for every holder: Azure, S3 and compatible servers, Google, CloudFront. */
const signatureName = /(?:[?&](?:temp_url_)?sig|mz-Signature|oog-Signature|[?&]Signature)=$/;
const signature = /[A-Za-z0-9%+/=_~-]{40,600}/y;
/** Older ones have 20 bytes, beside the time when they end. */
const expiringChars = 27;
const shortSignature = /[A-Za-z0-9%+/=_-]{16,40}/y;
/** A code that a login hands over once stands beside the state that asked for it. */
const codeName = /(?:^|[?&"'\s])code=$/;
const code = /[\w%./~-]{20,400}(?=&[^\s"'`<>]{0,400}(?<=&)(?:state|grant_type)=)/y;
/** Where a picture goes on air: the last part of the address is all that its use takes. */
const onAir = /\brtmps?$/;
const streamKey = /[\w.-]{1,80}(?::\d{2,5})?\/[\w./-]{1,120}\/([\w-]{12,120})(?=[\s"'`?;]|$)/y;
const expires = /[?&]Expires=\d{9,11}&[^\s"'`<>]{0,240}Signature=$/;
/** Oracle's clients take `ada/password@place`; a driver in Java takes name and password beside its address. */
const oracleLogin =
  /(?:jdbc:oracle:\w{3,4}:|(?:sqlplus|sqlldr|expdp|impdp)[ \t]{1,4}(?:-\w[ \t])?["']?)[\w.-]{1,64}\//iy;
const besideAddress = /jdbc:\w{2,16}:[^\s"']{1,240}["'],\s{0,40}["'][\w.@-]{1,64}["'],\s{0,40}["']/y;
const oraclePassword = /([^\s:@/"'`<>]{4,128})@/y;
const argument = /([^\s"']{4,128})["']/y;
/** A login of a driver in Go stands before `@tcp(`. */
const driverUser = /[\w.-]:$/;
const driverPassword = /^[^\s:@"'`<>[\]]{4,128}$/;

const [letterP, letterS] = [112, 115];
const stopWords = new Set(
  (
    "pass passwd password pwd secret token key user username root admin postgres mysql mongo redis guest test " +
    "changeme xxx port host example foo bar abc xyz hunter2"
  ).split(" "),
);
const placeholder = /\$[\w({]|\{|\}|%[sdv(]|\*\*|\[|\.\.\.|^x+$|^\d{1,5}$/i;
/** Whether a mark, or a word that opens nothing, stands in a password's place. */
const isNoPassword = (text: string): boolean =>
  text.startsWith(markStart) || placeholder.test(text) || stopWords.has(text.toLowerCase());

/** Finds logins, webhooks and signatures in addresses. */
export function findInUrls(text: string, { addresses, signatures }: Pick<Anchors, "addresses" | "signatures">): Span[] {
  const spans: Span[] = [];
  for (const at of addresses) {
    const driver = text.startsWith("tcp(", at) ? driverLoginBefore(text, at) : oracleLoginAt(text, at);
    if (driver !== undefined) spans.push(driver);
    if (!text.startsWith("://", at)) continue;
    const span = loginAt(text, at + 3) ?? webhookAt(text, at + 3) ?? streamAt(text, at);
    if (span !== undefined) spans.push(span);
  }
  for (const at of signatures) {
    const start = text.indexOf("=", at) + 1;
    code.lastIndex = start;
    if (codeName.test(text.slice(Math.max(0, start - 6), start)) && code.test(text)) {
      if (looksDrawn(text.slice(start, code.lastIndex))) spans.push({ start, end: code.lastIndex, rule: "code" });
      continue;
    }
    if (!signatureName.test(text.slice(Math.max(0, start - 16), start))) continue;
    signature.lastIndex = start;
    shortSignature.lastIndex = start;
    if (signature.test(text)) spans.push({ start, end: signature.lastIndex, rule: "signature" });
    else if (shortSignature.test(text) && isSigned(text, start, shortSignature.lastIndex)) {
      spans.push({ start, end: shortSignature.lastIndex, rule: "signature" });
    }
  }
  return spans;
}

/** Whether a short one looks drawn, or is beside the time when it ends. */
function isSigned(text: string, start: number, end: number): boolean {
  if ((gradeOf(text.slice(start, end)) ?? 0) > 0) return true;
  return end - start >= expiringChars && expires.test(text.slice(Math.max(0, start - 320), start));
}

function loginAt(text: string, at: number): Span | undefined {
  login.lastIndex = at;
  const found = login.exec(text);
  if (found === null) {
    nameOnly.lastIndex = at;
    const name = nameOnly.exec(text)?.[1];
    const isPublic = name !== undefined && publicHost.test(text.slice(at + name.length, at + name.length + 64));
    return name === undefined || isPublic || !(looksDrawn(name.replace(escaped, "-")) || isUuid(name))
      ? undefined
      : { start: at, end: at + name.length, rule: "login" };
  }
  const [, user = "", begin = ""] = found;
  const start = at + user.length + 1;
  const password = text.slice(start, endOfPassword(text, start + begin.length));
  // A mark in the name's place ends its first word with the colon.
  if (user.startsWith("[redacted") || password.length < 3 || isNoPassword(password)) return undefined;
  // A token as a name has a word in place of the password.
  if (password === "x-oauth-basic" && user.length >= 20) return { start: at, end: at + user.length, rule: "login" };
  const plain = password.toLowerCase();
  if (plain === user.toLowerCase() || /pass(?:word)?|your|secret/.test(plain)) return undefined;
  return { start: isDrawnUser(user) ? at : start, end: start + password.length, rule: "login" };
}

/** A name that was drawn with its password is half of the secret. */
const isDrawnUser = (user: string): boolean => drawnUser.test(user) || looksDrawn(user);

function endOfPassword(text: string, sign: number): number {
  restOfPassword.lastIndex = sign + 1;
  return restOfPassword.test(text) ? restOfPassword.lastIndex - 1 : sign;
}

function driverLoginBefore(text: string, at: number): Span | undefined {
  if (text.charAt(at - 1) !== "@") return undefined;
  const piece = text.slice(Math.max(0, at - 130), at - 1);
  const colon = piece.lastIndexOf(":");
  const password = piece.slice(colon + 1);
  if (!driverUser.test(piece.slice(0, colon + 1)) || !driverPassword.test(password)) return undefined;
  if (isNoPassword(password)) return undefined;
  return { start: at - 1 - password.length, end: at - 1, rule: "login" };
}

function oracleLoginAt(text: string, at: number): Span | undefined {
  for (const [before, word] of [[oracleLogin, oraclePassword] as const, [besideAddress, argument] as const]) {
    before.lastIndex = at;
    if (!before.test(text)) continue;
    word.lastIndex = before.lastIndex;
    const password = word.exec(text)?.[1];
    return password === undefined || isNoPassword(password)
      ? undefined
      : { start: before.lastIndex, end: before.lastIndex + password.length, rule: "login" };
  }
  return undefined;
}

function streamAt(text: string, at: number): Span | undefined {
  if (text.charCodeAt(at - 1) !== letterP && text.charCodeAt(at - 1) !== letterS) return undefined;
  if (!onAir.test(text.slice(Math.max(0, at - 8), at))) return undefined;
  streamKey.lastIndex = at + 3;
  const key = streamKey.exec(text)?.[1];
  if (key === undefined || !(looksDrawn(key) || isUuid(key))) return undefined;
  return { start: streamKey.lastIndex - key.length, end: streamKey.lastIndex, rule: "stream" };
}

function webhookAt(text: string, at: number): Span | undefined {
  for (const { rule, address } of webhooks) {
    address.lastIndex = at;
    if (!address.test(text)) continue;
    rest.lastIndex = address.lastIndex;
    if (!rest.test(text) || !/\d/.test(text.slice(address.lastIndex, rest.lastIndex))) return undefined;
    const tail = text.slice(address.lastIndex, rest.lastIndex);
    return /x{6}|X{6}|your|example/i.test(tail) ? undefined : { start: address.lastIndex, end: rest.lastIndex, rule };
  }
  return undefined;
}
