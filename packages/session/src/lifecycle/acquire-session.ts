import type { OtherWriter } from "@cm/context-log";
import { isCmError, type ObjectStore, type Write } from "@cm/object-model";
import type { SessionHeads } from "../history/read-path.ts";
import { commitUntilAnswered } from "../step/commit-until-answered.ts";
import { headWith } from "../step/head-documents.ts";
import { Lease, type LeaseOptions } from "../step/lease.ts";
import { readHeadsAndLease } from "../step/read-lease.ts";
import { retryOnConflict } from "../step/retry-on-conflict.ts";

/** A session that this client may write now. */
export interface Acquired {
  readonly heads: SessionHeads;
  readonly lease: Lease;
  /** Held the lease when this client came. */
  readonly otherWriter: OtherWriter | undefined;
}

export interface AcquireOptions extends LeaseOptions {
  readonly store: ObjectStore;
  readonly nowMs: number;
  /** Tells this open session from every other one. */
  readonly client: string;
}

/**
 * Reads the heads of a session that exists and takes its lease; one that was paused becomes active in the same commit.
 * Where the store takes no writes now, the session can be read all the same, and its first step says so.
 * @throws CmError `session/damaged`, `session/busy`, or what the store throws when it is read
 */
export async function acquireSession(options: AcquireOptions): Promise<Acquired | undefined> {
  const { store, session, nowMs, client } = options;
  return retryOnConflict({ session }, async (attempt) => {
    const found = await readHeadsAndLease(store, session);
    if (found === undefined) return undefined;
    const { heads } = found;
    const lease = new Lease(options, found.lease);
    const taken = { heads, lease, otherWriter: lease.heldByOther(nowMs) };
    const activated = activation(heads);
    const writes = [...activated, ...lease.renewal(nowMs)];
    if (writes.length === 0) return taken;
    try {
      const receipt = await commitUntilAnswered(store, writes, `${client} open ${attempt}`);
      lease.confirm(writes);
      const { document } = activated[0] ?? {};
      if (document === undefined) return taken;
      const { basis, results } = receipt;
      const sessionToken = results[0]?.token ?? "";
      return { ...taken, heads: { ...heads, session: document, sessionToken, basis } };
    } catch (error) {
      if (!isCmError(error) || !error.code.startsWith("store/")) throw error;
      // Who was faster has made it active, or a step: it is read again. Should the answer be lost, the first step finds out.
      if (activated.length === 0 || error.code !== "store/conflict") return taken;
      throw error;
    }
  });
}

function activation(heads: SessionHeads): readonly (Write & { readonly document: SessionHeads["session"] })[] {
  const { status, pending } = heads.session;
  if (status === "active") return [];
  return [{ document: headWith(heads, { status: "active", pending }), expect: heads.sessionToken }];
}
