import {
  type Basis,
  defined,
  erasedObjectsAmong,
  type ObjectStore,
  type StoredVersion,
  systemPromptId,
} from "@cm/object-model";
import { lineOf, type ObjectLine } from "./object-lines.ts";

/**
 * System prompts of a session as its steps follow each other. A past prompt reads the system prompt at the transaction
 * that wrote its step, so each change has to stand before the first step that was made with it.
 */
export class PromptChanges {
  readonly #store: ObjectStore;
  readonly #id: string;
  /** Which version was given last; undefined before the first. */
  #given: string | undefined;

  constructor(store: ObjectStore, session: string) {
    this.#store = store;
    this.#id = systemPromptId(session);
  }

  /**
   * The transactions at which another one may hold than before, of some that followed each other. Where the same holds
   * at two of them, it holds at all between, so a long run of steps takes a few reads.
   */
  async among(bases: readonly Basis[]): Promise<ReadonlySet<Basis>> {
    const first = bases[0];
    if (first === undefined) return new Set();
    const changes = new Set<Basis>([first]);
    const names = new Map<number, string>();
    const nameAt = async (place: number): Promise<string> => {
      const known = names.get(place) ?? nameOf(await this.#at(bases[place] ?? first));
      names.set(place, known);
      return known;
    };
    const search = async (from: number, to: number): Promise<void> => {
      if ((await nameAt(from)) === (await nameAt(to))) return;
      if (to - from === 1) changes.add(bases[to] ?? first);
      else {
        const middle = Math.floor((from + to) / 2);
        await search(from, middle);
        await search(middle, to);
      }
    };
    await search(0, bases.length - 1);
    return changes;
  }

  /** The system prompt at that step, if it differs from the previous one. */
  async until(basis: Basis): Promise<ObjectLine | undefined> {
    const version = await this.#at(basis);
    const name = nameOf(version);
    if (name === this.#given) return undefined;
    this.#given = name;
    return (version === undefined ? undefined : lineOf(version)) ?? this.#gonePrompt(version);
  }

  /** One that was erased, here or before it came here, or that was lost. */
  async #gonePrompt(version: StoredVersion | undefined): Promise<ObjectLine> {
    const isErased = version !== undefined || (await erasedObjectsAmong(this.#store, [this.#id])).has(this.#id);
    const lost = isErased ? {} : { lost: true as const };
    return {
      ...defined({ content_hash: version?.contentHash }),
      id: this.#id,
      kind: "erased",
      ...lost,
      of: "system_prompt",
    };
  }

  async #at(basis: Basis): Promise<StoredVersion | undefined> {
    return (await this.#store.getMany([this.#id], basis)).get(this.#id);
  }
}

/** Erased and missing prompts are all equal. */
function nameOf(version: StoredVersion | undefined): string {
  return version?.document === undefined ? "" : version.token;
}
