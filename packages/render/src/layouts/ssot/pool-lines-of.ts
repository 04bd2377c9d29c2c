import type { ContextView, ViewObject } from "@cm/context-log";
import { byFolder, moreBlockOf } from "../../grammar/folders.ts";
import { poolBlockOf } from "../../grammar/from-object.ts";
import { poolLines } from "../../grammar/ssot-lines.ts";
import { limits } from "../../limits.ts";

/** Members of a set in order of the index: the order of the other sets is that of their history and says nothing. */
export function members(view: ContextView, set: ReadonlySet<string>): readonly ViewObject[] {
  return [...view.sets.index].flatMap((id) => (set.has(id) ? (view.objects.get(id) ?? []) : []));
}

/**
 * SSOT 4.1, section 2: a line for each object of the pool, in the order in which the session met them. Above the budget
 * active and pinned ones come first and then the newest; the others stand by folder (decision 62).
 */
export function poolLinesOf(view: ContextView, nameOf: (object: ViewObject) => string): readonly string[] {
  const pool = members(view, view.sets.pool);
  const isHeld = ({ id }: ViewObject): boolean => view.sets.active.has(id) || view.sets.pinned.has(id);
  const lines = new Map<ViewObject, string>();
  let chars = 0;
  for (const object of inOrderOfUse(pool, isHeld)) {
    const line = poolLines.write(poolBlockOf(object, nameOf(object)));
    chars += line.length + 1;
    if (chars > limits.poolCharsMax) break;
    lines.set(object, line);
  }
  const rows = pool.flatMap((object) => lines.get(object) ?? []);
  if (rows.length === pool.length) return rows;
  const left = pool.filter((object) => !lines.has(object)).map(({ path }) => path ?? "");
  return [...rows, ...byFolder(left).map((folder): string => poolLines.write(moreBlockOf(folder)))];
}

function* inOrderOfUse(pool: readonly ViewObject[], isHeld: (object: ViewObject) => boolean): Generator<ViewObject> {
  for (const held of [true, false]) {
    for (let place = pool.length - 1; place >= 0; place -= 1) {
      const object = pool[place];
      if (object !== undefined && isHeld(object) === held) yield object;
    }
  }
}
