import type { DocumentOf, ObjectStore, SetChanges, StepAddress } from "@cm/object-model";
import { sessionError } from "../errors.ts";
import type { StepObjects } from "../state/advance.ts";
import type { SessionState } from "../state/session-state.ts";
import { loadPath, stateAfter } from "./load-state.ts";
import { mergeChanges } from "./merge.ts";
import { readHeads, type SessionHeads } from "./read-path.ts";

/** What another writer did to the session meanwhile, ready to be merged into a step of ours. */
export interface Merge {
  readonly heads: SessionHeads;
  readonly from: StepAddress | undefined;
  readonly objects: StepObjects;
  /** The files this session did not have, in the versions the other one had in sight. */
  readonly observed: NonNullable<DocumentOf<"step">["observed"]>;
  knows(id: string): boolean;
  changesFor(ownChanges: SetChanges): SetChanges;
}

/** Reads the head again, and the state it stands for. @throws CmError `session/damaged` */
export async function readMerge(store: ObjectStore, own: SessionState): Promise<Merge> {
  const heads = await readHeads(store, own.session);
  if (heads === undefined) {
    throw sessionError("session/damaged", `The heads of session ${own.session} are gone.`, { session: own.session });
  }
  const path = await loadPath(store, heads.session.head);
  const theirs = await stateAfter(path, own.session, setsOnly);
  const met = [...theirs.inSight].filter(([file]) => !own.objects.has(file));
  return {
    heads,
    from: heads.session.head ?? undefined,
    objects: path.objects,
    observed: met.map(([file, { contentHash, display }]) => ({
      file,
      content_hash: contentHash,
      ...(display === undefined ? {} : { display }),
    })),
    knows: (id) => theirs.objects.has(id),
    changesFor: (ownChanges) => mergeChanges(own.sets, ownChanges, theirs.sets),
  };
}

/** Prices and prompts play no part in the other writer's sets. */
const setsOnly = { prices: { read: 0, write: 0 }, headChars: 0, render: async () => undefined };
