import { checkIds, type ReadOptions, type StoredVersion } from "@cm/object-model";
import { isAway, late } from "./errors.ts";
import type { Parts } from "./parts.ts";

type Found = ReadonlyMap<string, StoredVersion>;

/** Reads of what holds now: by the base, or where that does not answer, by what is known here. */
export class Reads {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async getMany(ids: readonly string[], options: ReadOptions): Promise<Found> {
    const { attachment } = this.#parts;
    return attachment.isAttached ? this.#readAttached(ids, options) : this.#readDetached(checkIds(ids), options);
  }

  /** A base that is slow is waited for, unless all of it is known here. */
  async #readAttached(ids: readonly string[], options: ReadOptions): Promise<Found> {
    const { watch, attachment, deadlineMs } = this.#parts;
    const asked = this.#ask(ids, options);
    try {
      const answered = await watch.inTime(asked);
      if (answered !== undefined) return answered.answer;
      const known = this.#assumed(ids);
      if (known === undefined) return await asked;
      attachment.detach(late(deadlineMs));
      return known;
    } catch (error) {
      if (!isAway(error)) throw error;
      attachment.detach(error);
      const known = this.#assumed(ids);
      if (known === undefined) throw error;
      return known;
    }
  }

  /** The base is asked for what is not known here, and not waited for. */
  async #readDetached(ids: readonly string[], options: ReadOptions): Promise<Found> {
    const { known, watch, attachment, deadlineMs } = this.#parts;
    const missing = ids.filter((id) => known.get(id)?.held === undefined);
    if (missing.length === 0) return this.#known(ids);
    let fault: Error = attachment.fault ?? late(deadlineMs);
    if (!watch.isHanging) {
      try {
        const answered = await watch.inTime(this.#ask(missing, options));
        if (answered !== undefined) return new Map([...this.#known(ids), ...answered.answer]);
      } catch (error) {
        if (!isAway(error)) throw error;
        fault = error;
      }
    }
    const assumed = this.#assumed(ids);
    if (assumed === undefined) throw fault;
    return assumed;
  }

  async #ask(ids: readonly string[], options: ReadOptions): Promise<Found> {
    const { base, known, newest } = this.#parts;
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

  /** Undefined if the object may exist without being known here. */
  #assumed(ids: readonly string[]): Found | undefined {
    const { known, assumeAbsent } = this.#parts;
    const isKnown = ids.every(
      (id) => known.get(id)?.held !== undefined || (known.get(id) === undefined && assumeAbsent(id)),
    );
    return isKnown ? this.#known(ids) : undefined;
  }

  #known(ids: readonly string[]): Found {
    const found = new Map<string, StoredVersion>();
    for (const id of ids) {
      const held = this.#parts.known.get(id)?.held;
      if (typeof held === "object") found.set(id, held);
    }
    return found;
  }
}
