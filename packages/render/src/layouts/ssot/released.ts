import type { PromptMessage, ReleasedEntry } from "@cm/context-log";
import { boundedField } from "../../grammar/field.ts";
import { releasedLines } from "../../grammar/ssot-lines.ts";
import { limits } from "../../limits.ts";
import { memoizedMessage } from "../messages/memo.ts";

/** Tells the agent, once and at the tail, which of its pins the window forced out. */
export function releasedMessage(
  entry: ReleasedEntry,
  named: "alias" | "id",
  nameOf: (object: string) => string,
): PromptMessage {
  return memoizedMessage(entry, `released by ${named}`, () => {
    const ids = entry.objects.slice(0, limits.releasedNamesMax).map((object) => boundedField(nameOf(object)));
    const omitted = entry.objects.length - ids.length;
    const text = releasedLines.write({ ids, ...(omitted === 0 ? {} : { omitted }) });
    return { id: `${entry.at}~released-${named}`, role: "user", text, chars: text.length };
  });
}
