import type { LeveledObject, ObjectList } from "@cm/object-model";
import type { SessionState } from "../state/session-state.ts";
import type { CheckedQuery } from "./list-query.ts";

type Met = Pick<SessionState, "sets" | "objects">;

/** Everything a session met, with its context level, in that order. */
export function leveledObjects(state: Met): readonly LeveledObject[] {
  return [...state.sets.index].flatMap((id) => leveledObject(state, id) ?? []);
}

/**
 * The objects that meet a query, a page of them. A cursor is a place in the index, which only grows at its end: the
 * pages of a session that goes on have no object twice and pass over none.
 */
export function objectPage(
  state: Met,
  query: CheckedQuery,
  hasText: (object: LeveledObject) => boolean,
): Pick<ObjectList, "objects" | "next"> {
  const objects: LeveledObject[] = [];
  let place = -1;
  for (const id of state.sets.index) {
    place += 1;
    const object = place < query.from ? undefined : leveledObject(state, id);
    if (object === undefined || !meets(object, query) || !hasText(object)) continue;
    if (objects.length === query.limit) return { objects, next: `${place}` };
    objects.push(object);
  }
  return { objects };
}

function leveledObject({ sets, objects }: Met, id: string): LeveledObject | undefined {
  const { active, pool, pinned } = sets;
  const object = objects.get(id);
  const level = active.has(id) ? "active" : pool.has(id) ? "inactive" : "indexed";
  return object === undefined ? undefined : { ...object, level, pinned: pinned.has(id) };
}

function meets(object: LeveledObject, { kind, level, pinned, path, fileType, tool }: CheckedQuery): boolean {
  return (
    (kind === undefined || object.kind === kind) &&
    (level === undefined || object.level === level) &&
    (pinned === undefined || object.pinned === pinned) &&
    (path === undefined || (object.path ?? object.argsDisplay ?? "").includes(path)) &&
    (fileType === undefined || object.fileType === fileType) &&
    (tool === undefined || object.tool === tool)
  );
}
