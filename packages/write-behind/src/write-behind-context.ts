import { coreDocumentTypes, type DocumentTypes, type ObjectStore } from "@cm/object-model";
import { Attachment } from "./attachment.ts";
import { CommitQueue } from "./commit-queue.ts";
import { ConnectionWatch } from "./connection-watch.ts";
import type { WriteBehindOptions } from "./contract.ts";
import { writeBehindLimits as limits } from "./limits.ts";
import { NewestBasis } from "./newest-basis.ts";
import { ObjectCache } from "./object-cache.ts";
import { ProvisionalTokens } from "./provisional-tokens.ts";
import { timer } from "./race-deadline.ts";

/** The shared parts of reads and commits. */
export interface WriteBehindContext {
  readonly base: ObjectStore;
  readonly known: ObjectCache;
  readonly tokens: ProvisionalTokens;
  readonly newest: NewestBasis;
  readonly watch: ConnectionWatch;
  readonly queue: CommitQueue;
  readonly attachment: Attachment;
  readonly types: DocumentTypes;
  readonly now: () => number;
  readonly deadlineMs: number;
  readonly assumeAbsent: (id: string) => boolean;
}

export function createContext(base: ObjectStore, options: WriteBehindOptions): WriteBehindContext {
  const { wait = timer, now = Date.now, deadlineMs = limits.deadlineMs, types = coreDocumentTypes } = options;
  const { assumeAbsent = () => false, onBroken = () => undefined } = options;
  const known = new ObjectCache(options.knownBytesMax ?? limits.knownBytesMax);
  const tokens = new ProvisionalTokens();
  const newest = new NewestBasis();
  const watch = new ConnectionWatch(base, { deadlineMs, wait });
  const bytesMax = options.queueBytesMax ?? limits.queueBytesMax;
  const queue = new CommitQueue({ base, known, tokens, newest, wait, bytesMax });
  const attachment = new Attachment({ queue, watch, now, wait, onBroken });
  return { base, known, tokens, newest, watch, queue, attachment, types, now, deadlineMs, assumeAbsent };
}
