import { redactLimits } from "../limits.ts";
import { findAnchors, withoutOrdinary } from "./anchors.ts";
import { findBoughtCodes } from "./find-bought-codes.ts";
import { findBytes } from "./find-bytes.ts";
import { findCodeLists } from "./find-code-lists.ts";
import { findCodes } from "./find-codes.ts";
import { findCookieJars } from "./find-cookie-jars.ts";
import { findCookies } from "./find-cookies.ts";
import { findDeviceCodes } from "./find-device-codes.ts";
import { findGenerated } from "./find-generated.ts";
import { findGrouped } from "./find-grouped.ts";
import { findInCommands } from "./find-in-commands.ts";
import { findInInserts } from "./find-in-inserts.ts";
import { findInSecretFiles } from "./find-in-secret-files.ts";
import { findInTables } from "./find-in-tables.ts";
import { findInUrls } from "./find-in-urls.ts";
import { findKeys } from "./find-keys.ts";
import { findKubeSecrets } from "./find-kube-secrets.ts";
import { findLicences } from "./find-licences.ts";
import { findNamed } from "./find-named.ts";
import { findOneTimeCodes } from "./find-one-time-codes.ts";
import { findPasswordHashes } from "./find-password-hashes.ts";
import { findPasswords } from "./find-passwords.ts";
import { findPathTokens } from "./find-path-tokens.ts";
import { findPhrases } from "./find-phrases.ts";
import { findPrivateJwks } from "./find-private-jwks.ts";
import { findPrivateKeys } from "./find-private-keys.ts";
import { lowBytes } from "./low-bytes.ts";
import { markOf, type Span } from "./span.ts";

/** The text with a mark in place of each secret, and how many there were. The shape that `@cm/session` takes. */
export type Redactor = (text: string) => { readonly text: string; readonly count: number };

/**
 * Replaces known shapes of secrets by `[redacted:RULE]` (SSOT 5.10). Linear in the text, whatever it says; keeps the
 * number of lines, quotes and JSON; doing it twice changes nothing. Detection is not complete: see the README.
 */
export function createRedactor(): Redactor {
  return (text) => {
    let current = text;
    let count = 0;
    for (let pass = 0; pass < redactLimits.passesMax; pass++) {
      const spans = found(current);
      if (spans.length === 0) break;
      count += spans.length;
      current = replaced(current, spans);
    }
    return { text: current, count };
  };
}

/** In order and apart from each other; of two that overlap, the earlier names the rule. */
function found(text: string): readonly Span[] {
  const low = lowBytes(text);
  const anchors = findAnchors(low);
  const names = withoutOrdinary(text, anchors.names);
  const codes = [...anchors.codes, ...[...names, ...anchors.arguments].filter((at) => text.charCodeAt(at) > 127)];
  const spans = [
    findKeys(text, low),
    findInUrls(text, anchors),
    findInCommands(text, { ...anchors, names }),
    findPasswordHashes(text),
    findCookieJars(text),
    findInSecretFiles(text, names),
    findOneTimeCodes(text, codes),
    findCodeLists(text, codes),
    findBoughtCodes(text, anchors.codes),
    findDeviceCodes(text, anchors.codes),
  ];
  if (names.length > 0) {
    // In most texts nothing is named, and the lists of these are not made.
    spans.push(findPrivateKeys(text, names), findPrivateJwks(text, names), findNamed(text, low, names));
    spans.push(
      findPasswords(text, names),
      findCodes(text, names),
      findGrouped(text, names),
      findBytes(text, names),
      findPhrases(text, names),
      findPathTokens(text, names),
      findLicences(text, names),
      findGenerated(text, names),
      findInTables(text, names),
      findInInserts(text, names),
      findCookies(text, names),
      findKubeSecrets(text, names),
    );
  }
  return merged(text, spans.flat());
}

function merged(text: string, spans: Span[]): readonly Span[] {
  if (spans.length < 2) return spans;
  const apart: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1);
    if (last === undefined || span.start >= last.end) apart.push(span);
    // A private key's replacement counts its own lines, so it stays as it is; it covers what lies in it.
    else if (span.end > last.end) apart[apart.length - 1] = joined(text, last, span);
  }
  return apart;
}

function joined(text: string, first: Span, second: Span): Span {
  const lines = text.slice(first.start, second.end).split("\n").length - 1;
  return {
    start: first.start,
    end: second.end,
    rule: first.rule,
    replacement: `${markOf(first.rule)}${"\n".repeat(lines)}`,
  };
}

function replaced(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, rule, replacement = markOf(rule) } of spans) {
    parts.push(text.slice(from, start), replacement);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}
