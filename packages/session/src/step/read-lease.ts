import {
  chatId,
  type DocumentOf,
  isDocumentOf,
  leaseId,
  type ObjectStore,
  type StoredVersion,
  sessionObjectId,
} from "@cm/object-model";
import { headsIn, type SessionHeads } from "../history/read-path.ts";

/** Heads and lease, read together. Undefined where there is no such session. @throws CmError `session/damaged` */
export async function readHeadsAndLease(
  store: ObjectStore,
  session: string,
): Promise<{ readonly heads: SessionHeads; readonly lease: DocumentOf<"lease"> | undefined } | undefined> {
  const found = await store.getMany([sessionObjectId(session), chatId(session), leaseId(session)]);
  const heads = headsIn(found, session);
  return heads === undefined ? undefined : { heads, lease: leaseIn(found, session) };
}

function leaseIn(found: ReadonlyMap<string, StoredVersion>, session: string): DocumentOf<"lease"> | undefined {
  const document = found.get(leaseId(session))?.document;
  return document !== undefined && isDocumentOf(document, "lease") ? document : undefined;
}
