import type { LeveledObject, ObjectStore } from "@cm/object-model";
import { leveledObjects } from "../views/object-list.ts";
import { listSessions } from "./list-sessions.ts";
import { stateAt } from "./state-at.ts";

/** A session that has an object in its index, and how the object stands there after the newest step. */
export interface SessionThatMet {
  readonly session: string;
  readonly alias: string;
  readonly level: LeveledObject["level"];
  readonly pinned: boolean;
}

/**
 * The sessions that met an object, by id. Those whose heads cannot be read are passed over.
 * @throws CmError `session/damaged`, or what the store throws
 */
export async function* sessionsThatMet(store: ObjectStore, objectId: string): AsyncGenerator<SessionThatMet> {
  for await (const { session, head } of listSessions(store)) {
    if (head === null) continue;
    const { state } = await stateAt(store, head);
    const object = leveledObjects(state).find(({ id }) => id === objectId);
    if (object === undefined) continue;
    const { alias, level, pinned } = object;
    yield { session, alias, level, pinned };
  }
}
