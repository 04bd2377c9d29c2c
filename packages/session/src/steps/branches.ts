import {
  type DocumentOf,
  isDocumentOf,
  type ObjectStore,
  type StepAddress,
  type StoredVersion,
  stepId,
} from "@cm/object-model";
import { limits } from "../limits.ts";
import type { Membership } from "../sets/session-sets.ts";
import { Branch } from "./branch.ts";
import { readInParts } from "./read-in-parts.ts";

/** Where the session stands: its newest step, and the number that comes next. */
export interface Standing {
  readonly head: StepAddress | null;
  readonly nextStep: number;
}

/**
 * What the other writers of a session did, followed step by step as they are met: of a thousand steps, only those are
 * read that came since. A path that cannot be followed (its beginning is not known, a step was erased) is unknown, and
 * whoever needs it reads it whole.
 */
export class Branches {
  readonly #session: string;
  /** By the id of their newest step; those that moved last are last. */
  #tips = new Map<string, Branch>();
  /** Our newest step, and the number up to which all steps were looked at. */
  #ownTip: StepAddress | null;
  #nextStep: number;

  constructor(session: string, { head, nextStep }: Standing) {
    this.#session = session;
    this.#ownTip = head;
    this.#nextStep = nextStep;
  }

  at(head: StepAddress | null): Branch | undefined {
    return this.#tips.get(keyOf(head));
  }

  remember(head: StepAddress | null, branch: Branch): void {
    this.#tips.delete(keyOf(head));
    this.#tips.set(keyOf(head), branch);
    for (const oldest of this.#tips.keys()) {
      if (this.#tips.size <= limits.branchesMax) break;
      this.#tips.delete(oldest);
    }
  }

  /** Of the steps that come next, whoever makes them. */
  nextIds(count: number): readonly string[] {
    return Array.from({ length: count }, (_, place) => stepId({ session: this.#session, n: this.#nextStep + place }));
  }

  /**
   * Takes in the steps since the last time, ours and theirs. Gives the number of theirs.
   * @param base our sets after our newest step
   * @param found steps that were read already
   */
  async follow(store: ObjectStore, { own, nextStep, base, found }: Followed): Promise<number> {
    const ids = this.nextIds(Math.max(0, nextStep - this.#nextStep));
    const steps = await readSteps(store, ids, found);
    const ours = steps === undefined ? undefined : this.#ownSteps(steps, own);
    if (steps === undefined || ours === undefined) this.#tips.clear();
    else this.#takeIn(steps, ours, base);
    this.#ownTip = own;
    this.#nextStep = nextStep;
    return ids.length - (ours?.length ?? 0);
  }

  /** Our steps among them, first one first. Undefined where they do not lead on from the one we knew. */
  #ownSteps(steps: Steps, own: StepAddress | null): readonly string[] | undefined {
    const ours: string[] = [];
    for (let key = keyOf(own); key !== keyOf(this.#ownTip); ) {
      const step = steps.get(key);
      if (step === undefined) return undefined;
      ours.push(key);
      key = keyOf(step.parent);
    }
    return ours.reverse();
  }

  #takeIn(steps: Steps, ours: readonly string[], base: Membership): void {
    for (const branch of this.#tips.values()) leaveBehind(branch, ours, steps);
    const passed = [keyOf(this.#ownTip), ...ours];
    const own = new Set(ours);
    for (const [key, step] of steps) {
      if (own.has(key)) continue;
      const parent = keyOf(step.parent);
      let branch = this.#tips.get(parent);
      const leftAt = branch === undefined ? passed.indexOf(parent) : -1;
      if (leftAt >= 0) branch = leaveBehind(new Branch(), ours.slice(leftAt), steps);
      if (branch === undefined) continue;
      this.#tips.delete(parent);
      branch.advance(step, base);
      this.remember({ session: this.#session, n: step.n }, branch);
    }
  }
}

/** Undefined where one of them is not there. */
async function readSteps(store: ObjectStore, ids: readonly string[], found: Found): Promise<Steps | undefined> {
  const rest = ids.filter((id) => !found.has(id));
  const more: Found = rest.length === 0 ? found : await readInParts(store, rest);
  const steps = new Map<string, DocumentOf<"step">>();
  for (const id of ids) {
    const document = (found.get(id) ?? more.get(id))?.document;
    if (document === undefined || !isDocumentOf(document, "step")) return undefined;
    steps.set(id, document);
  }
  return steps;
}

function leaveBehind(branch: Branch, ours: readonly string[], steps: Steps): Branch {
  for (const key of ours) {
    const step = steps.get(key);
    if (step !== undefined) branch.leaveBehind(step);
  }
  return branch;
}

type Found = ReadonlyMap<string, StoredVersion>;
type Steps = ReadonlyMap<string, DocumentOf<"step">>;

interface Followed {
  readonly own: StepAddress | null;
  readonly nextStep: number;
  readonly base: Membership;
  readonly found: Found;
}

function keyOf(address: StepAddress | null): string {
  return address === null ? "" : stepId(address);
}
