import { type LeveledObject, type ListQuery, limits, type ObjectList } from "@cm/object-model";
import type { SessionState } from "../state/session-state.ts";

/** Everything a session met, with its context level, in that order. */
export function leveledObjects({ sets, objects }: Pick<SessionState, "sets" | "objects">): readonly LeveledObject[] {
  const { index, active, pool, pinned } = sets;
  return [...index].flatMap((id) => {
    const object = objects.get(id);
    const level = active.has(id) ? "active" : pool.has(id) ? "inactive" : "indexed";
    return object === undefined ? [] : [{ ...object, level, pinned: pinned.has(id) } as const];
  });
}

/** The objects that meet a query; the text of each is at hand. */
export function objectList(state: Pick<SessionState, "sets" | "objects">, query: ListQuery): ObjectList {
  const text = query.text?.toLowerCase();
  const found = leveledObjects(state).filter(
    (object) =>
      (query.kind === undefined || object.kind === query.kind) &&
      (query.level === undefined || object.level === query.level) &&
      (query.pinned === undefined || object.pinned === query.pinned) &&
      (query.path === undefined || (object.path ?? object.argsDisplay ?? "").includes(query.path)) &&
      (query.fileType === undefined || object.fileType === query.fileType) &&
      (query.tool === undefined || object.tool === query.tool) &&
      (text === undefined || (object.text ?? "").toLowerCase().includes(text)),
  );
  const from = Number(query.cursor ?? 0);
  const to = from + (query.limit ?? limits.pageRowsMax);
  return { objects: found.slice(from, to), ...(to < found.length ? { next: `${to}` } : {}) };
}
