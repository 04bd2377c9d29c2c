import type { Anchors } from "./anchors.ts";
import { looksDrawn } from "./randomness.ts";
import { markStart, type Span } from "./span.ts";

const login = /([^\s:@/"'`<>\\]{0,128}):([^\s@/"'`<>\\]{3,256})@(?=[\w[-])/y;
const nameOnly = /([\w-]{20,256})@(?=[\w[])/y;
const webhooks = [
  { rule: "slack", address: /hooks\.slack\.com\/(?:services|workflows|triggers)\//y },
  { rule: "discord", address: /(?:[\w-]{1,20}\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{8,24}\//y },
  { rule: "teams", address: /[\w-]{1,64}\.webhook\.office\.com\/webhookb2\//y },
];
const rest = /[\w@/.+-]{20,400}/y;
/** Signatures of addresses that work for every holder: Azure, S3 and compatible servers, Google, CloudFront. */
const signatureName = /(?:[?&]sig|mz-Signature|oog-Signature|[?&]Signature)=$/;
const signature = /[A-Za-z0-9%+/=_-]{40,600}/y;

const stopWords = new Set(
  (
    "pass passwd password pwd secret token key user username root admin postgres mysql mongo redis guest test " +
    "changeme xxx port host example foo bar abc xyz hunter2"
  ).split(" "),
);
const placeholder = /\$|\{|\}|%[sdv(]|\*\*|\[|\.\.\.|^x+$|^\d{1,5}$/i;

/** Finds logins, webhooks and signatures in addresses. */
export function findInUrls(text: string, { addresses, signatures }: Pick<Anchors, "addresses" | "signatures">): Span[] {
  const spans: Span[] = [];
  for (const at of addresses) {
    if (!text.startsWith("://", at)) continue;
    const span = loginAt(text, at + 3) ?? webhookAt(text, at + 3);
    if (span !== undefined) spans.push(span);
  }
  for (const at of signatures) {
    const start = text.indexOf("=", at) + 1;
    if (!signatureName.test(text.slice(Math.max(0, start - 16), start))) continue;
    signature.lastIndex = start;
    if (signature.test(text)) spans.push({ start, end: signature.lastIndex, rule: "signature" });
  }
  return spans;
}

function loginAt(text: string, at: number): Span | undefined {
  login.lastIndex = at;
  const found = login.exec(text);
  if (found === null) {
    nameOnly.lastIndex = at;
    const name = nameOnly.exec(text)?.[1];
    return name === undefined || !looksDrawn(name) ? undefined : { start: at, end: at + name.length, rule: "login" };
  }
  const [, user = "", password = ""] = found;
  if (password.startsWith(markStart) || placeholder.test(password)) return undefined;
  const plain = password.toLowerCase();
  if (stopWords.has(plain) || plain === user.toLowerCase() || /pass(?:word)?|your|secret/.test(plain)) return undefined;
  const start = at + user.length + 1;
  return { start, end: start + password.length, rule: "login" };
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
