import type { FilesystemBinding, Observation, ObserveRequest } from "@cm/object-model";
import { fileTouchLimits as limits } from "./file-limits.ts";
import { isBindable } from "./pi-path.ts";
import type { RecordedTouch } from "./recorded-touch.ts";

/**
 * Where Pi's `read` looks in turn for a file: at its path, then under the names that macOS gives to files where people type
 * others, with a narrow space before AM and PM, decomposed letters and curly quotes. One path for most.
 */
export function pathSpellings(path: string): readonly string[] {
  const narrow = path.replace(/ (AM|PM)\./gi, "\u202F$1.");
  const decomposed = path.normalize("NFD");
  const curly = path.replaceAll("'", "\u2019");
  const curlyDecomposed = decomposed.replaceAll("'", "\u2019");
  return [...new Set([path, narrow, decomposed, curly, curlyDecomposed])].filter(isBindable);
}

/** Who knows what is there. */
export interface Places {
  bindAll(paths: readonly string[]): Promise<readonly FilesystemBinding[]>;
  observe(
    requests: readonly ObserveRequest<FilesystemBinding>[],
    bounds: { readonly contentBytesMax: number; readonly deadlineMs: number },
  ): Promise<readonly Observation[]>;
}

/**
 * The touches by the paths under which reads found their files, so that a file has one name. Nothing is asked for paths with
 * one spelling; where no answer comes in time, or none is there by now, a path stays as it is.
 */
export async function asFound(touches: readonly RecordedTouch[], places: Places): Promise<readonly RecordedTouch[]> {
  const spelled = touches.map(({ path, as }) => (as === "read" ? pathSpellings(path) : [path]));
  const asked = spelled.filter(({ length }) => length > 1).flat();
  if (asked.length === 0) return touches;
  const bindings = await places.bindAll(asked);
  const requests = bindings.map((binding) => ({ binding, want: "existence" as const }));
  const answers = await places.observe(requests, { contentBytesMax: 0, deadlineMs: limits.spellingsMs });
  const found = new Set(asked.filter((_, place) => answers[place]?.kind === "exists"));
  return touches.map((touch, place) => {
    const path = spelled[place]?.find((spelling) => found.has(spelling));
    return path === undefined ? touch : { ...touch, path };
  });
}
