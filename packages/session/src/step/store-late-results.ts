import type { LogState } from "@cm/context-log/state";
import type { DocumentOf, ObjectStore, Write } from "@cm/object-model";
import type { FileIndex } from "../files/file-index.ts";
import { redactionsOf } from "../files/redactions.ts";
import type { AttachmentDocuments, CleanResult } from "../input/clean-messages.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";
import { settleToolcalls } from "./settle-toolcalls.ts";
import { draftToolcalls, separateDrafts, toolcallDocument } from "./toolcall-documents.ts";

/**
 * Stores results that arrive after their step was written, before a prompt names them: their ids are settled then.
 * The files they touched are looked at, so that the objects can name them. Should the process die here, objects are
 * left that no step names; the same results find them again.
 */
export async function storeLateResults(
  { store, files, state, nextStep }: LateContext,
  results: readonly CleanResult[],
  attachments: AttachmentDocuments,
): Promise<StoredLateResults> {
  if (results.length === 0) return { documents: [], redactions: 0 };
  const step = { session: state.session, n: nextStep };
  const drafts = draftToolcalls(results, [], { openCalls: state.openCalls, step, place: state.log.length });
  const touches = results.flatMap((result) => result.files);
  let indexed = await files.index(touches);
  const busy = `Late results of session ${state.session} could not be stored; try again.`;
  const lost = async (ids: ReadonlySet<string>): Promise<void> => {
    await settleToolcalls(store, state, drafts, { lost: ids, indexed });
    if ([...indexed.keys()].some((id) => ids.has(id))) indexed = await files.index(touches);
  };
  return retryOnConflict({ session: state.session, busy, lost }, async () => {
    separateDrafts(drafts, (id) => state.objects.has(id));
    const documents = drafts.map((draft) => toolcallDocument(draft, state, indexed));
    const writes: Write[] = [
      ...[...attachments.values()].map((document): Write => ({ document, expect: "any" })),
      ...[...indexed.values()].flatMap(({ write }) => write ?? []),
      ...documents.flatMap((document, at): Write[] => (drafts[at]?.stored ? [] : [{ document, expect: "absent" }])),
    ];
    if (writes.length > 0) await store.commit(writes);
    files.confirm(indexed.keys());
    return { documents, redactions: [...indexed.values()].reduce((sum, file) => sum + redactionsOf(file.write), 0) };
  });
}

export interface StoredLateResults {
  /** One for each result, in order. */
  readonly documents: readonly DocumentOf<"toolcall">[];
  /** Secrets replaced in the files that were stored with them. */
  readonly redactions: number;
}

interface LateContext {
  readonly store: ObjectStore;
  readonly files: FileIndex;
  readonly state: LogState;
  readonly nextStep: number;
}
