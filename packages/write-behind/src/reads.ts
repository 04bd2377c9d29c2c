import { checkIds, type ReadOptions, type StoredVersion } from "@cm/object-model";
import { isOffline, late } from "./errors.ts";
import type { WriteBehindContext } from "./write-behind-context.ts";

type Found = ReadonlyMap<string, StoredVersion>;

/** Reads of what holds now: by the base, or where that does not answer, from the cache. */
export class Reads {
  readonly #context: WriteBehindContext;

  constructor(parts: WriteBehindContext) {
    this.#context = parts;
  }

  async getMany(ids: readonly string[], options: ReadOptions): Promise<Found> {
    const { attachment } = this.#context;
    return attachment.isAttached ? this.#readAttached(ids, options) : this.#readDetached(checkIds(ids), options);
  }

  /** A base that is slow is waited for, unless the cache has all of it. */
  async #readAttached(ids: readonly string[], options: ReadOptions): Promise<Found> {
    const { watch, attachment, deadlineMs } = this.#context;
    const asked = this.#ask(ids, options);
    try {
      const answered = await watch.raceDeadline(asked);
      if (answered !== undefined) return answered.answer;
      const known = this.#assumed(ids);
      if (known === undefined) return await asked;
      attachment.detach(late(deadlineMs));
      return known;
    } catch (error) {
      if (!isOffline(error)) throw error;
      attachment.detach(error);
      const known = this.#assumed(ids);
      if (known === undefined) throw error;
      return known;
    }
  }

  /** Asks the base for what the cache lacks, without waiting beyond the deadline. */
  async #readDetached(ids: readonly string[], options: ReadOptions): Promise<Found> {
    const { known, watch, attachment, deadlineMs } = this.#context;
    const missing = ids.filter((id) => known.get(id)?.held === undefined);
    if (missing.length === 0) return this.#known(ids);
    let fault: Error = attachment.fault ?? late(deadlineMs);
    if (!watch.isHanging) {
      try {
        const answered = await watch.raceDeadline(this.#ask(missing, options));
        if (answered !== undefined) return new Map([...this.#known(ids), ...answered.answer]);
      } catch (error) {
        if (!isOffline(error)) throw error;
        fault = error;
      }
    }
    const assumed = this.#assumed(ids);
    if (assumed === undefined) throw fault;
    return assumed;
  }

  async #ask(ids: readonly string[], options: ReadOptions): Promise<Found> {
    const { base, known, newest } = this.#context;
    const moment = known.moment();
    const found = await base.getMany(ids, undefined, options);
    for (const version of found.values()) newest.read(version);
    // Texts that may come later are those of a whole session: they would push everything else out.
    if (options.texts !== "later") known.read(ids, found, moment);
    const waiting = ids.flatMap((id) => known.waiting(id) ?? []);
    return waiting.length === 0
      ? found
      : new Map([...found, ...waiting.map((version) => [version.id, version] as const)]);
  }

  /** Undefined if the object may exist outside the cache. */
  #assumed(ids: readonly string[]): Found | undefined {
    const { known, assumeAbsent } = this.#context;
    const isKnown = ids.every(
      (id) => known.get(id)?.held !== undefined || (known.get(id) === undefined && assumeAbsent(id)),
    );
    return isKnown ? this.#known(ids) : undefined;
  }

  #known(ids: readonly string[]): Found {
    const found = new Map<string, StoredVersion>();
    for (const id of ids) {
      const held = this.#context.known.get(id)?.held;
      if (typeof held === "object") found.set(id, held);
    }
    return found;
  }
}
