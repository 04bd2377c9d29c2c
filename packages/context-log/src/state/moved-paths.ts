import type { MovedPath } from "@cm/object-model";

/** A file of the session: the path that it was shown under, and today's. */
export interface ShownFile {
  readonly id: string;
  readonly was: string;
  readonly now: string;
}

/**
 * What to say of files that are shown under other paths than before, in as few rows as are true of all of them: folders,
 * and the files that no folder's row is right for. Pure; `pathsNow` of these rows gives every file its path of today.
 */
export function movedPaths(files: readonly ShownFile[]): readonly MovedPath[] {
  const moved = files.filter(({ was, now }) => was !== now);
  if (moved.length === 0) return [];
  const stayed = files.filter(({ was, now }) => was === now);
  const folders = [...Map.groupBy(moved, ({ was, now }) => JSON.stringify(foldersBefore(was, now)))].flatMap(
    ([key, group]) => {
      const [was = "", now = ""] = JSON.parse(key) as string[];
      return was === "" || now === "" ? [] : folderRows({ was, now }, group, stayed);
    },
  );
  const pathOf = pathsNow(folders);
  return [
    ...folders,
    ...files.flatMap(({ id, was, now }) => (pathOf(id, was) === now ? [] : [{ was, now, file: id }])),
  ];
}

/** Where these rows lead: that of the file itself before that of the longest folder. */
export function pathsNow(paths: readonly MovedPath[]): (id: string, path: string) => string {
  const byFile = new Map(paths.flatMap(({ file, now }) => (file === undefined ? [] : [[file, now] as const])));
  const byFolder = paths.filter(({ file }) => file === undefined).sort((a, b) => b.was.length - a.was.length);
  return (id, path) => {
    const alone = byFile.get(id);
    if (alone !== undefined) return alone;
    const folder = byFolder.find(({ was }) => path.startsWith(asFolder(was)));
    return folder === undefined ? path : asFolder(folder.now) + path.slice(asFolder(folder.was).length);
  };
}

/** Both paths without the names at their ends that are the same. Empty: not one folder that has files below it. */
function foldersBefore(was: string, now: string): readonly [string, string] {
  const [names, others] = [was.split("/"), now.split("/")];
  let same = 0;
  while (same < Math.min(names.length, others.length) - 1 && names.at(-1 - same) === others.at(-1 - same)) same += 1;
  return same === 0 ? ["", ""] : [folderOf(names.slice(0, -same)), folderOf(others.slice(0, -same))];
}

const folderOf = (names: readonly string[]): string => (names.length === 1 && names[0] === "" ? "/" : names.join("/"));

/** A folder is named only where none of its files stayed; else those of its folders in which that is so. */
function folderRows(
  folder: MovedPath,
  group: readonly ShownFile[],
  stayed: readonly ShownFile[],
): readonly MovedPath[] {
  const shared = sharedFolder(folder, group);
  const inside = stayed.filter(({ was }) => was.startsWith(asFolder(shared.was)));
  if (inside.length === 0) return [shared];
  return [...Map.groupBy(group, ({ was }) => namesBelow(shared.was, was)[0] ?? "")].flatMap(([name, part]) =>
    name === "" ? [] : folderRows(inFolder(shared, [name]), part, inside),
  );
}

/** The folder that all of them lie in: other files may have stayed. */
function sharedFolder(folder: MovedPath, group: readonly ShownFile[]): MovedPath {
  const [first = [], ...others] = group.map(({ was }) => namesBelow(folder.was, was));
  const differ = first.findIndex((name, place) => others.some((names) => names[place] !== name));
  return inFolder(folder, differ < 0 ? first : first.slice(0, differ));
}

/** The folders between a folder and a file in it. */
function namesBelow(folder: string, path: string): readonly string[] {
  return path.slice(asFolder(folder).length).split("/").slice(0, -1);
}

function inFolder({ was, now }: MovedPath, names: readonly string[]): MovedPath {
  const rest = names.join("/");
  return rest === "" ? { was, now } : { was: asFolder(was) + rest, now: asFolder(now) + rest };
}

const asFolder = (path: string): string => (path.endsWith("/") ? path : `${path}/`);
