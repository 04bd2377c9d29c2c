import type { PromptMessage, ResumedEntry } from "@cm/context-log";
import { resumedBlock } from "../../grammar/resumed-block.ts";
import { resumedText } from "../../grammar/resumed-lines.ts";
import { memoizedMessage } from "../messages/memo.ts";

/** What changed since the agent last looked, told once (SSOT 3.6); objects stand under their alias or their id. */
export function resumedMessage(
  entry: ResumedEntry,
  named: "alias" | "id",
  nameOf: (object: string) => string,
): PromptMessage {
  return memoizedMessage(entry, `resumed by ${named}`, () => {
    const text = resumedText(resumedBlock(entry, nameOf));
    return { id: `${entry.at}~resumed-${named}`, role: "user", text, chars: text.length };
  });
}
