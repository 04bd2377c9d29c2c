import type { PiSide } from "../pi/pi-side.ts";

/**
 * Whether a call without a result on its branch may have run all the same. Another branch has its result where `/tree` went
 * back to the answer that made the call. `/fork` copies one branch into a new file: an answer that is no newer than its file
 * was copied, and the results on other branches stayed in the file before.
 *
 * @param answer the entry of the answer that made the call
 */
export const mayHaveRun = (
  { begun, entries }: Pick<PiSide, "begun" | "entries">,
  callId: string,
  answer: string,
): boolean =>
  entries().some((entry) =>
    entry.id === answer
      ? entry.timestamp <= begun
      : entry.type === "message" && entry.message.role === "toolResult" && entry.message.toolCallId === callId,
  );
