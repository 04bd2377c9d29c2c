import type { PromptDecision } from "@cm/context-log";
import type { DocumentOf } from "@cm/object-model";

/** A file version that somebody will look at, and the steps of the path after which the session had it in sight. */
export interface ShownVersion {
  readonly file: string;
  readonly contentHash: string;
  /** Places on the path, both included. */
  readonly from: number;
  readonly to: number;
}

/** A version of a file while it is in sight. */
interface Sighting {
  readonly file: string;
  readonly contentHash: string;
  readonly from: number;
  to: number;
  isShown: boolean;
}

/**
 * The versions without which the state at the end of a path, or a request on it, would not be what it was. Of a file
 * that changed a hundred times that is the newest one; before, only those whose text was recalled, told on resuming, or
 * in sight of a request that is rendered. Pure.
 * @param steps the path; undefined for erased ones
 * @param renderedFrom the first place whose request is rendered
 */
export function shownVersions(
  steps: readonly (DocumentOf<"step"> | undefined)[],
  renderedFrom: number,
): readonly ShownVersion[] {
  const last = steps.length - 1;
  const inSight = new Map<string, Sighting>();
  const sightings: Sighting[] = [];
  const show = (file: string) => {
    const sighting = inSight.get(file);
    if (sighting !== undefined) sighting.isShown = true;
  };
  const see = (place: number, seen: DocumentOf<"step">["observed"] = []) => {
    for (const { file, content_hash: contentHash } of seen) {
      const before = inSight.get(file);
      if (before?.contentHash === contentHash) continue;
      if (before !== undefined) before.to = Math.max(before.from, place - 1);
      const isShown = place >= renderedFrom;
      const sighting = { file, contentHash, from: place, to: last, isShown };
      inSight.set(file, sighting);
      sightings.push(sighting);
    }
  };
  for (const [place, step] of steps.entries()) {
    const told = step?.resumed?.observed ?? [];
    for (const { file } of told) show(file);
    see(place, told);
    for (const { file } of told) show(file);
    // Of these the path is told.
    for (const { file } of step?.resumed?.unreachable ?? []) show(file);
    see(place, step?.observed_before);
    for (const recall of (step?.decision as PromptDecision | undefined)?.recall ?? []) {
      show(typeof recall === "string" ? recall : recall.object);
    }
    if (place === renderedFrom) for (const file of inSight.keys()) show(file);
    see(place, step?.observed);
  }
  for (const file of inSight.keys()) show(file);
  return distinct(sightings.filter(({ isShown }) => isShown));
}

/** One of each version, the newest: there it is looked for. */
function distinct(sightings: readonly Sighting[]): readonly ShownVersion[] {
  const versions = new Map<string, ShownVersion>();
  for (const { file, contentHash, from, to } of sightings) {
    versions.set(`${file} ${contentHash}`, { file, contentHash, from, to });
  }
  return [...versions.values()];
}

/**
 * The fewest places of the path at which every one of these versions was in sight, with those that each is good for;
 * most useful first. The classical greedy choice: the earliest end that is not covered yet.
 */
export function momentsOf(
  versions: readonly ShownVersion[],
): readonly { readonly place: number; readonly versions: readonly ShownVersion[] }[] {
  const moments: { readonly place: number; readonly versions: ShownVersion[] }[] = [];
  for (const version of versions.toSorted((a, b) => a.to - b.to)) {
    const newest = moments.at(-1);
    if (newest === undefined || newest.place < version.from) moments.push({ place: version.to, versions: [version] });
    else newest.versions.push(version);
  }
  return moments.sort((a, b) => b.versions.length - a.versions.length);
}
