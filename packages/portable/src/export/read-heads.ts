import {
  type Basis,
  chatId,
  type DocumentOf,
  isDocumentOf,
  type ObjectStore,
  parseSessionId,
  type StoredVersion,
  sessionObjectId,
} from "@cm/object-model";
import { bundleError } from "../errors.ts";

/** A stored version that was not erased. */
export type KeptVersion = Extract<StoredVersion, { readonly erased?: undefined }>;

/** A session's heads, and the committed state that everything else is read at. */
export interface Heads {
  readonly session: string;
  readonly basis: Basis;
  readonly head: DocumentOf<"session">;
  readonly versions: { readonly session: KeptVersion; readonly chat: KeptVersion };
}

/** @throws CmError `model/invalid-id`, `bundle/not-found`, `bundle/damaged-session` */
export async function readHeads(store: ObjectStore, name: string): Promise<Heads> {
  const session = parseSessionId(name);
  const { basis } = await store.find({ session }, { limit: 1 });
  const found = await store.getMany([sessionObjectId(session), chatId(session)], basis);
  const [head, chat] = [found.get(sessionObjectId(session)), found.get(chatId(session))];
  if (head === undefined && chat === undefined) {
    throw bundleError("bundle/not-found", `There is no session ${session} in this store.`, { session });
  }
  if (head?.document === undefined || chat?.document === undefined) throw damaged(session, "a head is missing");
  if (!isDocumentOf(head.document, "session")) throw damaged(session, "a head has another type");
  return { session, basis, head: head.document, versions: { session: head, chat } };
}

export function damaged(session: string, what: string) {
  return bundleError(
    "bundle/damaged-session",
    `The session ${session} cannot be exported: ${what}. Run a verification of its database.`,
    { session },
  );
}
