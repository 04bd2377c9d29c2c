import type { ContextView, ViewObject } from "@cm/context-log";
import { defined, nonEmpty } from "@cm/object-model";
import type { PoolBlock, PoolMoreBlock } from "@cm/prompt-grammar";
import { poolLines } from "@cm/prompt-grammar";
import { limits } from "../limits.ts";

/** Members of a set in order of the index: the order of the other sets is that of their history and says nothing. */
export function members(view: ContextView, set: ReadonlySet<string>): readonly ViewObject[] {
  return [...view.sets.index].flatMap((id) => (set.has(id) ? (view.objects.get(id) ?? []) : []));
}

/**
 * SSOT 4.1, section 2: a line for each object of the pool, in the order in which the session met them. Above the budget
 * active and pinned ones come first and then the newest; the others stand by folder (decision 62).
 */
export function poolLinesOf(
  view: ContextView,
  nameOf: (object: ViewObject) => string,
  charsMax: number = limits.poolCharsMax,
): readonly string[] {
  const pool = members(view, view.sets.pool);
  const isHeld = ({ id }: ViewObject): boolean => view.sets.active.has(id) || view.sets.pinned.has(id);
  const lines = new Map<ViewObject, string>();
  let chars = 0;
  for (const object of inOrderOfUse(pool, isHeld)) {
    const line = poolLines.write(poolBlock(object, nameOf(object)));
    chars += line.length + 1;
    if (chars > charsMax) break;
    lines.set(object, line);
  }
  const rows = pool.flatMap((object) => lines.get(object) ?? []);
  if (rows.length === pool.length) return rows;
  const left = pool.filter((object) => !lines.has(object)).map(({ path }) => path ?? "");
  return [...rows, ...byFolder(left).map(poolLines.write)];
}

function* inOrderOfUse(pool: readonly ViewObject[], isHeld: (object: ViewObject) => boolean): Generator<ViewObject> {
  for (const held of [true, false]) {
    for (let place = pool.length - 1; place >= 0; place -= 1) {
      const object = pool[place];
      if (object !== undefined && isHeld(object) === held) yield object;
    }
  }
}

/**
 * Objects by the folder that they lie below, as deep as `foldersMax` folders allow, in the order in which they come. Those
 * without a path stand under no folder.
 */
function byFolder(paths: readonly string[]): readonly PoolMoreBlock[] {
  const folders = paths.map((path) => path.split("/").slice(0, -1));
  const deepest = folders.reduce((depth, folder) => Math.max(depth, folder.length), 0);
  for (let depth = deepest; ; depth -= 1) {
    const counts = new Map<string, number>();
    for (const folder of folders) {
      const path = folder.slice(0, depth).join("/");
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
    if (counts.size <= limits.foldersMax || depth === 0) {
      return [...counts].map(([path, count]) => ({ kind: "pool-more", count, ...nonEmpty({ below: path }) }));
    }
  }
}

function poolBlock({ kind, path = "", fileType = "", charCount = 0, ...object }: ViewObject, id: string): PoolBlock {
  const { tool = "", status = "ok", redactions, textless } = object;
  const line = { id, ...defined({ redactions, textless }) };
  if (kind === "toolcall") return { kind: "pool-toolcall", ...line, tool, status };
  return { kind: "pool-file", ...line, path, fileType, charCount };
}
