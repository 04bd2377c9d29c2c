import { withSeenPart } from "../objects/view-objects.ts";
import type { MutableState } from "../state/log-state.ts";
import { newResults } from "../state/new-results.ts";
import type { ViewObject } from "../view.ts";

/** A file in the version in sight; where that has no text, the newest part of it that the agent saw stands in for it. */
export function inSightWithPart({ log, seenAt }: Pick<MutableState, "log" | "seenAt">, file: ViewObject): ViewObject {
  const at = seenAt.get(file.id);
  const entry = at === undefined ? undefined : log[at];
  return entry?.kind === "result" && entry.text !== null ? withSeenPart(file, entry.text) : file;
}

/** Takes down what the results since the newest step showed of which file. */
export function showSeenParts(state: MutableState): void {
  for (const entry of newResults(state)) {
    if (entry.text === null) continue;
    for (const { file } of entry.spans) {
      state.seenAt.set(file, entry.at);
      const object = state.objects.get(file);
      if (object !== undefined) state.objects.set(file, withSeenPart(object, entry.text));
    }
  }
}
