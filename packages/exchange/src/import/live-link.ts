import { type ObjectStore, sessionObjectId } from "@cm/object-model";
import type { Piece } from "./session-source.ts";

/** What the Pi extension writes into Pi's file: the session that it records the branch as. */
const linkType = "cm-link";

/** The session as which this store has the file's content already, where the entry names one that is here. */
export async function recordedSession(store: ObjectStore, { entry }: Piece): Promise<string | undefined> {
  if (entry?.type !== "custom" || entry.customType !== linkType) return undefined;
  const { data } = entry;
  const session = typeof data === "object" && data !== null && "session" in data ? data.session : undefined;
  if (typeof session !== "string" || session === "") return undefined;
  const id = sessionObjectId(session);
  return (await store.getMany([id])).has(id) ? session : undefined;
}
