import type { ViewObject } from "@cm/context-log";
import type { LogState } from "@cm/context-log/state";
import type { ObjectStore } from "@cm/object-model";
import { sessionError } from "../../errors.ts";
import { readInParts } from "../../history/read-in-parts.ts";
import { limits } from "../../limits.ts";
import type { OpenStep } from "../../step/open-step.ts";

interface Known {
  readonly store: ObjectStore;
  readonly state: LogState;
  readonly step: Pick<OpenStep, "attachments">;
  /** What names stood for in earlier calls: an erased file has no path, and a call whose answer was lost comes again. */
  readonly before: Map<string, readonly string[]>;
}

/**
 * The ids of what a caller names to be erased: by alias, by id, or by a path as the agent sees it, which names every file
 * that is shown under it. What the store alone knows counts, too: `holdersOf` names such ids.
 * @throws CmError `session/unknown-object`, or what the store throws
 */
export async function namedObjects(
  named: readonly string[],
  { store, state, step, before }: Known,
): Promise<readonly string[]> {
  const { aliases, objects, successions } = state;
  const files = filesByPath(objects.values());
  const here = new Map(
    named.map((name) => {
      const id = aliases.resolve(name);
      const ids = objects.has(id) ? [id] : (files.get(name) ?? before.get(name) ?? []);
      // To the one who names it, it is one file, whoever's machine its texts are from.
      return [name, [...new Set(ids.flatMap((one) => [one, ...successions.olderThan(one)]))]] as const;
    }),
  );
  const elsewhere = [...here.keys()].filter((name) => here.get(name)?.length === 0 && !step.attachments.has(name));
  const stored = await readInParts(store, elsewhere);
  const unknown = elsewhere.filter((name) => !stored.has(name));
  if (unknown.length > 0) throw unknownObjects(state.session, unknown);
  for (const [name, ids] of here) if (ids.length > 0) before.set(name, ids);
  return [...new Set([...here].flatMap(([name, ids]) => (ids.length > 0 ? ids : [name])))];
}

/** The files that are shown under each path; one that was erased has none. */
function filesByPath(objects: Iterable<ViewObject>): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const { id, kind, path = "" } of objects) {
    if (kind !== "file" || path === "") continue;
    const sharing = files.get(path);
    if (sharing === undefined) files.set(path, [id]);
    else sharing.push(id);
  }
  return files;
}

function unknownObjects(session: string, names: readonly string[]) {
  const { unknownShownMax, unknownShownCharsMax } = limits;
  const unknown = names.slice(0, unknownShownMax).map((name) => JSON.stringify(name.slice(0, unknownShownCharsMax)));
  const more = names.length > unknownShownMax ? ` and ${names.length - unknownShownMax} more` : "";
  return sessionError(
    "session/unknown-object",
    `Nothing was erased: session ${session} knows no ${unknown.join(", ")}${more}. Give ids, aliases or paths of it.`,
    { session, unknown, count: names.length },
  );
}
