import { countWords } from "../folded/fold-words.ts";
import { aboutTokens } from "../text/token-count.ts";
import type { CommandHost } from "./command-host.ts";
import { requireManaged } from "./require-managed.ts";
import { requireSteering } from "./require-steering.ts";

/** Asks for a fold of all that may be folded, and says what that saves. */
export async function foldNow(host: CommandHost): Promise<string> {
  const managed = requireManaged(host);
  const steering = requireSteering(managed);
  const { view } = await managed.inside();
  const planned = steering.fold(view);
  if (planned === undefined) {
    return "Nothing to fold: what stands in full is new, pinned or protected, or hardly longer than the line in its place.";
  }
  const { parts, chars } = planned;
  return `With the next request ${countWords(parts)} will be folded: about ${aboutTokens(chars)} fewer in each request. That one request costs more, since the provider's cache ends at the first of them.`;
}
