import { isCmError, type ObjectStore, type VersionToken } from "@cm/object-model";
import { full, late } from "./errors.ts";
import { writeBehindLimits as limits } from "./limits.ts";
import type { NewestBasis } from "./newest-basis.ts";
import type { ObjectCache } from "./object-cache.ts";
import type { ProvisionalTokens } from "./provisional-tokens.ts";
import type { OutgoingCommit, QueuedCommit } from "./queued-commit.ts";
import { raceDeadline, type Wait } from "./race-deadline.ts";
import { rebaseOntoNewest } from "./rebase-onto-newest.ts";

export interface CommitQueueOptions {
  readonly base: ObjectStore;
  readonly known: ObjectCache;
  readonly tokens: ProvisionalTokens;
  readonly wait: Wait;
  readonly newest: NewestBasis;
  readonly bytesMax: number;
}

/** Provisional commits, in their order, and how the first of them gets written. */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  readonly #commits: QueuedCommit[] = [];
  #bytes = 0;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#commits.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the first commit is under way already. */
  get isUnderWay(): boolean {
    return this.#commits[0]?.outgoing.sending !== undefined;
  }

  /** @throws CmError `store/unavailable` where it has no room */
  checkRoom(bytes: number): void {
    if (this.#bytes + bytes > this.#options.bytesMax) throw full(this.#options.bytesMax);
  }

  add(commit: QueuedCommit): void {
    this.#commits.push(commit);
    this.#bytes += commit.bytes;
  }

  /**
   * Writes the first commit and takes it out.
   * @throws what the base throws; `store/conflict` where others wrote what the commit builds on
   */
  async writeFirst(): Promise<void> {
    const first = this.#commits[0];
    if (first === undefined) return;
    const tokens = await this.#written(first.outgoing);
    this.#commits.shift();
    this.#bytes -= first.bytes;
    for (const { id, token: provisional } of first.provisional.results) {
      const token = tokens.get(id);
      if (token === undefined) continue;
      this.#options.tokens.resolve(provisional, token);
      this.#options.known.settle(id, provisional, token);
    }
  }

  /** The base's tokens of what it writes, or had already. */
  async #written(outgoing: OutgoingCommit): Promise<ReadonlyMap<string, VersionToken>> {
    const { base, tokens, wait, newest } = this.#options;
    const written = new Map<string, VersionToken>();
    for (let conflicts = 1; outgoing.isLeft; ) {
      try {
        const sending = outgoing.sending ?? outgoing.send(base, tokens);
        const answered = await raceDeadline(sending, limits.sendAgainMs, wait);
        if (answered === undefined) throw late(limits.sendAgainMs);
        newest.written(answered.answer);
        for (const { id, token } of answered.answer.results) written.set(id, token);
        return written;
      } catch (error) {
        outgoing.sending = undefined;
        if (!isCmError(error, "store/conflict") || conflicts >= limits.conflictsMax) throw error;
        conflicts += 1;
        const { writes, alreadyWritten } = await rebaseOntoNewest(base, outgoing.writes, error);
        for (const [id, token] of alreadyWritten) written.set(id, token);
        outgoing.writes = writes;
      }
    }
    return written;
  }
}
