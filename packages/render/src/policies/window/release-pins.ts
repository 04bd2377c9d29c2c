import { cutNewest } from "./cut-newest.ts";
import type { FittedPrompt } from "./fitted-prompt.ts";
import type { FoldableParts } from "./fold-parts.ts";

/** Under this, a text is hardly longer than the notice that its pin is gone. */
const worthReleasingBytes = 300;

/** Takes pins away, the object that was touched longest ago first, and folds what they kept. A notice tells the agent. */
export function releasePins(prompt: FittedPrompt, parts: FoldableParts, bytesMax: number): void {
  if (prompt.bytes <= bytesMax) return;
  for (const object of pinnedInView(prompt, parts)) {
    if (prompt.bytes <= bytesMax) return;
    prompt.release(object);
    parts.unpin(object);
    for (const { key, objects } of parts.parts) {
      if (objects.includes(object)) parts.fold(key, "window: pin released");
    }
    cutNewest(prompt, parts, bytesMax);
  }
}

/** Pinned objects of which text stands in view. */
function pinnedInView(prompt: FittedPrompt, parts: FoldableParts): readonly string[] {
  const touched = new Map<string, number>();
  for (const part of parts.parts) {
    if (part.isArgs || prompt.formOf(part.key).form === "reference") continue;
    if (prompt.bytesAt(part.at) < worthReleasingBytes) continue;
    for (const id of part.objects) {
      if (prompt.view.sets.pinned.has(id)) touched.set(id, Math.max(touched.get(id) ?? 0, part.touched));
    }
  }
  return [...touched].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([id]) => id);
}
