import { type Basis, type ObjectStore, type StepAddress, type StoredVersion, stepId } from "@cm/object-model";
import { limits } from "../limits.ts";

/**
 * Reads steps at one moment. A caller that follows parents asks for one step after the other, and most steps continue
 * the previous number; so a request for one step also reads those before it.
 */
export class StepsBehind {
  readonly #store: ObjectStore;
  readonly #basis: Basis;
  #read: ReadonlyMap<string, StoredVersion> = new Map();
  #asked: ReadonlySet<string> = new Set();

  constructor(store: ObjectStore, basis: Basis) {
    this.#store = store;
    this.#basis = basis;
  }

  async get(addresses: readonly StepAddress[]): Promise<ReadonlyMap<string, StoredVersion>> {
    if (addresses.every((address) => this.#asked.has(stepId(address)))) return this.#read;
    const [only, ...others] = addresses;
    const ids = (only === undefined || others.length > 0 ? addresses : runTo(only)).map(stepId);
    this.#read = await this.#store.getMany(ids, this.#basis);
    this.#asked = new Set(ids);
    return this.#read;
  }
}

function runTo({ session, n }: StepAddress): readonly StepAddress[] {
  const first = Math.max(0, n - limits.smallObjectsPerReadMax + 1);
  return Array.from({ length: n - first + 1 }, (_, place) => ({ session, n: first + place }));
}
