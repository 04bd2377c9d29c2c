import type { LeveledObject, ObjectList } from "../harness.ts";
import type { ContextView, ViewObject } from "../view.ts";
import type { CheckedQuery } from "./list-query.ts";

type Met = Pick<ContextView, "sets" | "objects">;

/** Everything a session met, with its context level, in that order. */
export function leveledObjects(state: Met): readonly LeveledObject[] {
  return [...state.sets.index].flatMap((id) => leveledObject(state, id) ?? []);
}

/** Undefined for what the session has not met, and for a file in whose place another one stands. */
export function leveledObject(state: Met, id: string): LeveledObject | undefined {
  const object = state.objects.get(id);
  return object === undefined || isOlder(object, id) ? undefined : { ...object, ...standingOf(state, id) };
}

/**
 * The objects that meet a query, a page of them. A cursor is a place in the index, which only grows at its end: the
 * pages of a session that goes on have no object twice and pass over none.
 */
export function objectPage(
  state: Met,
  query: CheckedQuery,
  hasText: (object: ViewObject) => boolean,
): Pick<ObjectList, "objects" | "next"> {
  const objects: LeveledObject[] = [];
  let place = -1;
  for (const id of state.sets.index) {
    place += 1;
    const object = place < query.from ? undefined : state.objects.get(id);
    const standing = standingOf(state, id);
    if (object === undefined || isOlder(object, id) || !meets(object, standing, query) || !hasText(object)) continue;
    if (objects.length === query.limit) return { objects, next: `${place}` };
    // Copied last: a copy looks at the text, which may have to be unpacked.
    objects.push({ ...object, ...standing });
  }
  return { objects };
}

/** Another file stands in its place. */
const isOlder = (object: ViewObject, id: string): boolean => object.id !== id;

type Standing = Pick<LeveledObject, "level" | "pinned">;

function standingOf({ sets: { active, pool, pinned } }: Met, id: string): Standing {
  const level = active.has(id) ? "active" : pool.has(id) ? "inactive" : "indexed";
  return { level, pinned: pinned.has(id) };
}

function meets(
  object: ViewObject,
  standing: Standing,
  { kind, level, pinned, path, fileType, tool }: CheckedQuery,
): boolean {
  return (
    (kind === undefined || object.kind === kind) &&
    (level === undefined || standing.level === level) &&
    (pinned === undefined || standing.pinned === pinned) &&
    (path === undefined || (object.path ?? object.argsDisplay ?? "").includes(path)) &&
    (fileType === undefined || object.fileType === fileType) &&
    (tool === undefined || object.tool === tool)
  );
}
