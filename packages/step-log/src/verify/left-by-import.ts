import { type DocumentOf, importOwner, isDocumentOf, type ObjectStore, sessionOfReference } from "@cm/object-model";
import { readReadable } from "../path/read-readable.ts";

/**
 * The sessions among those of some leases that an import of an agent's file wrote and did not come to close: one that
 * came to its end paused the session, and its lease stays.
 */
export async function leftByImports(
  store: ObjectStore,
  leases: readonly DocumentOf<"lease">[],
): Promise<readonly string[]> {
  // The mark of a bundle blocks no client, so that it ends when it begins: such an import is over, whatever its session does.
  const written = leases.flatMap(({ owner, session_ref: session, acquired_at, expires_at }) =>
    owner === importOwner && expires_at > acquired_at ? [session] : [],
  );
  const { found } = await readReadable(store, written);
  return written
    .filter((id) => {
      const head = found.get(id)?.document;
      return isDocumentOf(head, "session") && head.status === "active";
    })
    .map(sessionOfReference);
}
