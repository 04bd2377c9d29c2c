import {
  chatId,
  type DocumentOf,
  defined,
  leaseId,
  type ObjectStore,
  type SetChanges,
  type StepAddress,
  sessionObjectId,
} from "@cm/object-model";
import { sessionError } from "../errors.ts";
import { leaseIn } from "../lease/read-lease.ts";
import { limits } from "../limits.ts";
import { ChangeLog, type Membership } from "../sets/session-sets.ts";
import type { StepObjects } from "../state/advance.ts";
import type { FileInSight, SessionState } from "../state/session-state.ts";
import { Branch } from "./branch.ts";
import { Branches, type Standing } from "./branches.ts";
import { Contention } from "./contention.ts";
import { stateAfter } from "./load-state.ts";
import { mergeChanges, mergeChangesOf } from "./merge.ts";
import { MetObjects } from "./met-objects.ts";
import { headsIn, readPath, type SessionHeads } from "./read-path.ts";

/** What another writer did to the session meanwhile, ready to be merged into a step of ours. */
export interface Merge {
  readonly from: StepAddress;
  readonly objects: StepObjects;
  /** The files this session did not have, in the versions the other one had in sight. */
  readonly observed: NonNullable<DocumentOf<"step">["observed"]>;
  knows(id: string): boolean;
  changesFor(ownChanges: SetChanges): SetChanges;
}

/** The sets of another writer, whichever way they were found. */
interface Theirs {
  /** How many steps had to be read for it. */
  readonly read: number;
  readonly sets: Membership;
  readonly files: ReadonlyMap<string, FileInSight>;
  /** What they may have met and we did not. */
  readonly ids: Iterable<string>;
  changesFor(ownChanges: SetChanges): SetChanges;
}

export interface Look {
  readonly heads: SessionHeads;
  readonly lease: DocumentOf<"lease"> | undefined;
  /** Absent where the newest step is still our own. */
  readonly merge: Merge | undefined;
  /** How many documents had to be read, of a kind. */
  readonly read: number;
}

/** The other writers of an open session, as far as it has met them. */
export class OtherWriters {
  readonly #branches: Branches;
  readonly #met = new MetObjects();
  readonly contention = new Contention();

  constructor(session: string, opened: Standing) {
    this.#branches = new Branches(session, opened);
  }

  /**
   * Reads the heads again, and what the step at the head brings. Where that was much, others have made steps while it
   * was read: then it is looked again for the few that are new, since who comes late with a commit loses it.
   * @param changesBefore changes of our sets that our newest step does not have yet
   * @throws CmError `session/damaged`
   */
  async readMerge(store: ObjectStore, own: SessionState, changesBefore: SetChanges): Promise<Look> {
    let look = await this.#look(store, own, changesBefore);
    for (let round = 1; look.read > limits.stepsWithHeads && round < limits.mergeRoundsMax; round += 1) {
      look = await this.#look(store, own, changesBefore);
    }
    return look;
  }

  async #look(store: ObjectStore, own: SessionState, changesBefore: SetChanges): Promise<Look> {
    const found = await store.getMany([
      sessionObjectId(own.session),
      chatId(own.session),
      leaseId(own.session),
      ...this.#branches.nextIds(limits.stepsWithHeads),
    ]);
    const heads = headsIn(found, own.session);
    if (heads === undefined) {
      throw sessionError("session/damaged", `The heads of session ${own.session} are gone.`, { session: own.session });
    }
    const lease = leaseIn(found, own.session);
    const { head, next_step: nextStep } = heads.session;
    const sinceStep = new ChangeLog();
    sinceStep.undo(changesBefore);
    const base = sinceStep.over(own.sets);
    const steps = await this.#branches.follow(store, { own: own.head, nextStep, base, found });
    this.contention.saw(steps);
    if (head === null || isSame(head, own.head)) return { heads, lease, merge: undefined, read: steps };
    const theirs = this.#followed(own, head, base) ?? (await this.#readWhole(store, own, head, base));
    const isNew = (id: string) => !own.objects.has(id);
    const files = [...theirs.files].filter(([file]) => isNew(file));
    const ids = [...theirs.ids].filter((id) => isNew(id) && theirs.sets.index.has(id) && !theirs.files.has(id));
    const merge: Merge = {
      from: head,
      objects: await this.#met.read(store, { toolcalls: ids, files }),
      observed: files.map(([file, { contentHash, display, succeeds }]) => ({
        file,
        content_hash: contentHash,
        ...defined({ display, succeeds }),
      })),
      knows: (id) => theirs.sets.index.has(id) || theirs.files.has(id),
      changesFor: (ownChanges) => theirs.changesFor(ownChanges),
    };
    return { heads, lease, merge, read: Math.max(steps, this.#met.newest, theirs.read) };
  }

  #followed(own: SessionState, head: StepAddress, base: Membership): Theirs | undefined {
    // What an erased step did is lost, and what builds on it is passed over: that has to be worked out anew.
    const branch = own.gapAt === undefined ? this.#branches.at(head) : undefined;
    if (branch === undefined) return undefined;
    branch.forgetFiles((file) => own.objects.has(file));
    const { files, ids } = branch;
    const sets = branch.sets(base);
    return {
      read: 0,
      sets,
      files,
      ids,
      changesFor: (ownChanges) => mergeChangesOf(ids, { own: own.sets, ownChanges, theirs: sets }),
    };
  }

  /** A path whose beginning we did not follow; of its steps only what they did to the sets. */
  async #readWhole(store: ObjectStore, own: SessionState, head: StepAddress, base: Membership): Promise<Theirs> {
    const steps = await readPath(store, head);
    const { sets, inSight, gapAt } = await stateAfter({ steps, objects: noDocuments }, own.session, setsOnly);
    if (gapAt === undefined) {
      const ids = new Set([...own.sets.index, ...sets.index]);
      this.#branches.remember(head, Branch.between(ids, base, { sets, inSight }));
    }
    return {
      read: steps.length,
      sets,
      files: inSight,
      ids: sets.index,
      changesFor: (ownChanges) => mergeChanges(own.sets, ownChanges, sets),
    };
  }
}

function isSame(a: StepAddress, b: StepAddress | null): boolean {
  return a.session === b?.session && a.n === b.n;
}

/** Prices, prompts and texts play no part in the other writer's sets. */
const setsOnly = { prices: { read: 0, write: 0 }, headChars: 0, render: async () => undefined };
const noDocuments: StepObjects = { toolcall: () => undefined, file: () => undefined };
