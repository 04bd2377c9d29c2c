import { coreDocumentTypes, type DocumentTypes, type ObjectStore } from "@cm/object-model";
import { Attachment } from "./attachment.ts";
import { CommitQueue } from "./commit-queue.ts";
import { ConnectionWatch } from "./connection-watch.ts";
import type { WriteBehindOptions } from "./contract.ts";
import { timer } from "./in-time.ts";
import { KnownObjects } from "./known-objects.ts";
import { writeBehindLimits as limits } from "./limits.ts";
import { NewestBasis } from "./newest-basis.ts";
import { ProvisionalTokens } from "./provisional-tokens.ts";

/** The shared parts of reads and commits. */
export interface Parts {
  readonly base: ObjectStore;
  readonly known: KnownObjects;
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

export function partsOf(base: ObjectStore, options: WriteBehindOptions): Parts {
  const { wait = timer, now = Date.now, deadlineMs = limits.deadlineMs, types = coreDocumentTypes } = options;
  const { assumeAbsent = () => false, onBroken = () => undefined } = options;
  const known = new KnownObjects(options.knownBytesMax ?? limits.knownBytesMax);
  const tokens = new ProvisionalTokens();
  const newest = new NewestBasis();
  const watch = new ConnectionWatch(base, { deadlineMs, wait });
  const bytesMax = options.queueBytesMax ?? limits.queueBytesMax;
  const queue = new CommitQueue({ base, known, tokens, newest, wait, bytesMax });
  const attachment = new Attachment({ queue, watch, now, wait, onBroken });
  return { base, known, tokens, newest, watch, queue, attachment, types, now, deadlineMs, assumeAbsent };
}
