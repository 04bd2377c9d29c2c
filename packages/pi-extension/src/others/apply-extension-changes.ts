import type { BranchItem } from "../branch/branch-item.ts";
import { takeCall } from "../branch/calls-of.ts";
import type { PiMessage } from "../pi/pi-types.ts";
import type { ExtensionChanges } from "./extension-changes.ts";
import { callsIn } from "./text-of-version.ts";

/** A message of a request, and which item of the branch it is; undefined for one of ours. */
export interface PlacedMessage {
  readonly message: PiMessage;
  readonly item: number | undefined;
}

/**
 * The request as others left it: without what they took out as a whole, and with what they put in where it stood.
 * Results go with their calls, and nothing stands between the two.
 */
export function applyExtensionChanges(
  made: readonly PlacedMessage[],
  items: readonly BranchItem[],
  { changed, inserted }: ExtensionChanges,
): PiMessage[] {
  if (changed.size === 0 && inserted.length === 0) return made.map(({ message }) => message);
  const sent: PiMessage[] = [];
  let waiting = 0;
  /** Calls of the newest answer without a result; none where it was taken out. */
  let calls: ReturnType<typeof callsIn> = [];
  for (const { message, item } of made) {
    const version = item === undefined ? undefined : changed.get(items[item]?.entry ?? "");
    const isResult = message.role === "toolResult";
    for (; !isResult && item !== undefined; waiting += 1) {
      const next = inserted[waiting];
      if (next === undefined || next.after >= item) break;
      sent.push(next.message);
    }
    if (message.role === "assistant") calls = version === null ? [] : callsIn(message);
    const isOrphan = isResult && takeCall(calls, message.toolCallId) === undefined;
    if (version !== null && !isOrphan) sent.push(message);
  }
  return [...sent, ...inserted.slice(waiting).map(({ message }) => message)];
}
