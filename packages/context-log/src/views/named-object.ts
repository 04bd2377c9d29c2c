import type { LogState } from "../state/log-state.ts";

/**
 * The id of the object that a name means: an alias, an object's id, the path of a file as the agent sees it (whole, or an
 * end of it that only one file has), or the id of a call, of which the newest is meant. A name of nothing is returned as
 * it is.
 */
export function namedObject({ aliases, sets, objects, log }: LogState, name: string): string {
  const id = aliases.resolve(name);
  if (sets.index.has(id)) return id;
  const path = name.replace(/^(?:\.\/)+/, "");
  // Those in whose place others stand are named by these.
  const files = [...objects].flatMap(([key, object]) =>
    object.kind === "file" && object.id === key && sets.index.has(key) ? [object] : [],
  );
  const exact = files.find((file) => file.path === path);
  if (exact !== undefined) return exact.id;
  const [end, ...others] = path === "" ? [] : files.filter((file) => file.path?.endsWith(`/${path}`));
  if (end !== undefined && others.length === 0) return end.id;
  const called = log.findLast((entry) => entry.kind === "result" && entry.callId === name);
  return called?.kind === "result" ? called.object : id;
}
