import { type DocumentOf, defined, type MovedPath } from "@cm/object-model";
import { newestResult } from "../appended-entries.ts";
import {
  atPath,
  erasedObject,
  fileObject,
  missingObject,
  type ObjectName,
  unreadObject,
} from "../objects/view-objects.ts";
import { wholeText } from "../objects/whole-text.ts";
import { resumedPlaces } from "../state/entries.ts";
import type { MutableState } from "../state/log-state.ts";
import { pathsNow } from "../state/moved-paths.ts";
import type { StepObjects } from "../state/step-objects.ts";
import type { ViewObject } from "../view.ts";
import { push } from "./grow-log.ts";
import { inSightWithPart } from "./show-seen-parts.ts";

export type Observed = NonNullable<DocumentOf<"step">["observed"]>;

/** Takes in the file versions that a look before a request found (SSOT 5.6). */
export function admitObserved(
  state: MutableState,
  observed: Observed,
  objects: Pick<StepObjects, "file" | "isMissing" | "isPassedOver">,
): void {
  for (const seen of observed) observe(state, seen, objects);
}

/** Takes in what was found when the session was resumed: it stands in the log once, before the next prompt. */
export function admitResumed(
  state: MutableState,
  { observed = [], unreachable = [], checkouts = [], paths = [], told }: NonNullable<DocumentOf<"step">["resumed"]>,
  objects: Pick<StepObjects, "file" | "isMissing" | "isPassedOver">,
): void {
  if (paths.length > 0) movePaths(state, paths);
  const before = new Map(observed.map(({ file, succeeds = file }) => [file, wholeText(state.objects.get(succeeds))]));
  const versions = new Map(
    observed.map(({ file, succeeds = file }) => [succeeds, state.inSight.get(succeeds)?.contentHash]),
  );
  admitObserved(state, observed, objects);
  if (told === false) return;
  state.origins.set(state.log.length, {
    files: observed.map(({ file, succeeds = file }) => ({
      before: versions.get(succeeds),
      display: shownAs(state, file),
    })),
    unreachable: unreachable.map(({ file }) => shownAs(state, file)),
  });
  push(state, {
    kind: "resumed",
    at: state.log.length,
    step: state.depth,
    turn: Math.max(0, state.turn),
    into: newestResult(state.log),
    files: observed.map(({ file }) => {
      const object = state.objects.get(file);
      const { path = "", textless } = object ?? {};
      return {
        object: file,
        path,
        before: before.get(file) ?? null,
        after: wholeText(object),
        ...defined({ textless }),
      };
    }),
    unreachable: unreachable.map(({ file, reason }) => ({
      object: file,
      path: state.objects.get(file)?.path ?? "",
      reason,
    })),
    ...resumedPlaces({ checkouts, paths }),
  });
}

/** The path of a file where it is not the one of its source; empty where it has none. */
function shownAs({ objects, inSight }: MutableState, file: string): string | undefined {
  return objects.get(file)?.path === undefined ? "" : inSight.get(file)?.display;
}

/** From here on files are shown under the paths that the agent finds them by now (SSOT 5.3); their versions stay. */
function movePaths(state: MutableState, paths: readonly MovedPath[]): void {
  const pathNow = pathsNow(paths);
  for (const [id, seen] of state.inSight) {
    const object = state.objects.get(id);
    const was = seen.display ?? object?.path;
    const now = was === undefined ? undefined : pathNow(id, was);
    if (now === undefined || now === was) continue;
    state.inSight.set(id, { ...seen, display: now });
    if (object?.path === undefined) continue;
    state.objects.set(id, atPath(object, now));
    showForOlder(state, id);
  }
}

/** Takes in the version of a file that was found. */
export function observe(
  state: MutableState,
  { file, content_hash, display, succeeds }: Observed[number],
  objects: Pick<StepObjects, "file" | "isMissing" | "isPassedOver">,
): void {
  const named = succeeds === undefined ? undefined : state.objects.get(succeeds);
  // It may stand there already: another client said so, too.
  const older = named?.id === file ? undefined : named;
  const alias = aliasFor(state, file, older);
  const version = objects.file(file, content_hash);
  if (older !== undefined) leaveTo(state, older, file);
  state.inSight.set(file, { contentHash: content_hash, display, succeeds });
  if (version !== undefined) {
    state.objects.set(file, inSightWithPart(state, fileObject(version, alias, display)));
  } else if (objects.isMissing?.(file) === true) {
    state.objects.set(file, missing(state, { id: file, alias, kind: "file" }));
  } else if (objects.isPassedOver?.(file, content_hash) === true) {
    state.objects.set(file, unreadObject(file, alias));
  } else {
    state.complete = false;
    state.objects.set(file, erasedObject({ id: file, alias, kind: "file" }));
  }
  showForOlder(state, file);
}

/** A file that takes another one's place has its short name, unless it was given one of its own before. */
function aliasFor(state: MutableState, file: string, older: ViewObject | undefined): string {
  return state.objects.get(file)?.alias ?? older?.alias ?? state.aliases.give(file, "file");
}

/** What the agent knows of the older file is said of the newer one from here on. */
function leaveTo(state: MutableState, older: ViewObject, file: string): void {
  const { id } = older;
  state.successions.succeed(older, file);
  state.inSight.delete(id);
  const seenAt = state.seenAt.get(id);
  if (seenAt !== undefined && !state.seenAt.has(file)) state.seenAt.set(file, seenAt);
  const count = (state.shown.get(file) ?? 0) + (state.shown.get(id) ?? 0);
  if (count === 0) state.shown.delete(file);
  else state.shown.set(file, count);
  state.shown.delete(id);
}

function showForOlder(state: MutableState, file: string): void {
  const newest = state.objects.get(file);
  if (newest === undefined) return;
  for (const [id, object] of state.successions.shownFor(newest)) state.objects.set(id, object);
}

/** An object that the store has to have, and has not. */
export function missing(state: MutableState, object: ObjectName): ViewObject {
  state.complete = false;
  state.missing.add(object.id);
  return missingObject(object);
}
