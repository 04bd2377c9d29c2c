import { type ObjectStore, sha256, type Write } from "@cm/object-model";
import { sessionError } from "../errors.ts";
import type { AttachmentDocuments } from "../incoming/clean-messages.ts";
import type { Lease } from "../lease/lease.ts";
import { readHeadsAndLease } from "../lease/read-lease.ts";
import { commitInsisting } from "../steps/commit-insisting.ts";
import { headWith } from "../steps/head-documents.ts";
import type { SessionHeads } from "../steps/read-path.ts";
import { retryOnConflict } from "../steps/retry-on-conflict.ts";
import { bothPending, type Pending, samePending } from "./pending.ts";

export interface PauseContext {
  readonly store: ObjectStore;
  readonly session: string;
  readonly client: string;
  readonly nowMs: number;
  readonly lease: Lease;
  readonly pending: Pending | undefined;
  /** What this client found pending when it opened the session, and `pending` has in it. */
  readonly restored: Pending | undefined;
  /** Of pending messages. */
  readonly attachments: AttachmentDocuments;
  /** A system prompt that no step has written yet. */
  readonly systemPrompt: readonly Write[];
  /** Content hashes of heads that earlier attempts may have written. */
  readonly attempted: Set<string>;
}

/**
 * Writes in one commit what no step says yet, and gives up the lease. Where another client holds that, the session
 * stays active. Asked again after a doubt, it finds what it wrote.
 * @throws CmError `session/busy`, `session/damaged`, or what the store throws
 */
export async function writePause(context: PauseContext): Promise<void> {
  const { store, session, client, nowMs, lease, attachments, systemPrompt, attempted } = context;
  await retryOnConflict({ session }, async (attempt) => {
    const found = await readHeadsAndLease(store, session);
    if (found === undefined) {
      throw sessionError("session/damaged", `The heads of session ${session} are gone.`, { session });
    }
    lease.learn(found.lease);
    const head = attempted.has(found.heads.session.content_hash)
      ? found.heads.session
      : pausedHead(found.heads, context);
    attempted.add(head.content_hash);
    const writes: readonly Write[] = [
      ...[...attachments.values()].map((document): Write => ({ document, expect: "any" })),
      ...systemPrompt,
      ...(head.content_hash === found.heads.session.content_hash
        ? []
        : [{ document: head, expect: found.heads.sessionToken }]),
      ...lease.release(nowMs),
    ];
    if (writes.length === 0) return;
    const said = sha256(writes.map(({ document }) => document.content_hash).join(" "));
    await commitInsisting(store, writes, `${client} pause ${attempt} ${said}`);
  });
}

function pausedHead(heads: SessionHeads, { pending, restored, lease, nowMs }: PauseContext): SessionHeads["session"] {
  const left = heads.session.pending;
  return headWith(heads, {
    status: lease.heldByOther(nowMs) === undefined ? "paused" : "active",
    // What another client left stays; what this one found when it opened the session is in its own.
    pending: samePending(left, restored) ? pending : bothPending(left, pending),
  });
}
