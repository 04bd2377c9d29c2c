import type { Amendment } from "@cm/context-log";
import { checkLimit } from "./check-limit.ts";
import { type Redactor, TextCleaner } from "./clean-text.ts";

/** What others made of messages, cleaned like every text that is stored. @throws CmError `session/invalid-input` */
export function cleanAmendments(
  amendments: readonly Amendment[],
  redact: Redactor | undefined,
): { readonly clean: readonly Amendment[]; readonly redactions: number } {
  checkLimit("amendmentsMax", amendments.length);
  const cleaner = new TextCleaner(redact);
  const clean = amendments.map(({ at, text, args }): Amendment => {
    const calls = Object.entries(args ?? {}).map(([call, own]) => [call, cleaner.args(own)]);
    return {
      at,
      ...(text === undefined ? {} : { text: cleaner.text(text) }),
      ...(calls.length === 0 ? {} : { args: Object.fromEntries(calls) }),
    };
  });
  return { clean, redactions: cleaner.redactions };
}
