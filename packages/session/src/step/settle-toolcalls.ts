import type { LogState } from "@cm/context-log/state";
import type { ObjectStore } from "@cm/object-model";
import type { IndexedFile } from "../files/touches.ts";
import { idOfDraft, idsFrom, type ToolcallDraft, toolcallDocument } from "./toolcall-documents.ts";

/** After a conflict over taken ids: the same call, repeated, keeps its id; another call takes its next one. */
export async function settleToolcalls(
  store: ObjectStore,
  state: Pick<LogState, "session" | "aliases" | "sets" | "objects">,
  drafts: readonly ToolcallDraft[],
  { lost, indexed }: { readonly lost: ReadonlySet<string>; readonly indexed: ReadonlyMap<string, IndexedFile> },
): Promise<void> {
  const taken = drafts.filter((draft) => lost.has(idOfDraft(draft)));
  if (taken.length === 0) return;
  // All that may be tried are looked up at once: a provider that starts anew has used the next ones, too.
  const stored = await store.getMany(taken.flatMap(idsFrom));
  for (const draft of taken) {
    for (let there = stored.get(idOfDraft(draft)); there !== undefined; there = stored.get(idOfDraft(draft))) {
      const own = toolcallDocument(draft, state, indexed);
      draft.stored =
        there.contentHash === own.content_hash && there.type === "toolcall" && !state.objects.has(there.id);
      if (draft.stored) break;
      draft.choice += 1;
    }
  }
}
