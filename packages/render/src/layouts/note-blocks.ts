import type { ReleasedEntry, ResumedEntry } from "@cm/context-log";
import { type Checkout, defined, nonEmpty } from "@cm/object-model";
import type {
  CheckoutFields,
  ReleasedBlock,
  ResumedBlock,
  ResumedCheckout,
  ResumedFile,
  ResumedPath,
} from "@cm/prompt-grammar";
import { boundedField } from "@cm/prompt-grammar";
import { limits } from "../limits.ts";
import { changedLines } from "./changed-lines.ts";

/** The report on resuming within its budget: every file is named first, diffs follow as far as there is room. */
export function resumedBlock(entry: ResumedEntry, idOf: (object: string) => string): ResumedBlock {
  let room: number = limits.resumedDiffCharsMax;
  const files = entry.files.slice(0, limits.resumedFilesMax).map((file): ResumedFile => {
    const named = {
      id: boundedField(idOf(file.object)),
      path: boundedField(file.path),
      ...defined({ state: file.textless }),
    };
    const changes = changesOf(file, Math.min(room, limits.resumedFileDiffCharsMax));
    room -= changes.diff?.length ?? 0;
    return { ...named, ...changes };
  });
  const unreachable = entry.unreachable.slice(0, limits.resumedFilesMax - files.length);
  const { paths = [] } = entry;
  const told = paths.slice(0, limits.resumedPathsMax);
  const omitted = entry.files.length + entry.unreachable.length - files.length - unreachable.length;
  return {
    kind: "resumed",
    checkouts: entry.checkouts.map(checkoutOf),
    ...nonEmpty({ paths: told.map((path) => pathOf(path, idOf)) }),
    ...(paths.length > told.length ? { pathsOmitted: paths.length - told.length } : {}),
    files,
    unreachable: unreachable.map(({ object, path, reason }) => ({
      id: boundedField(idOf(object)),
      path: boundedField(path),
      reason: boundedField(reason),
    })),
    ...(omitted > 0 ? { omitted } : {}),
  };
}

function pathOf(
  { was, now, object }: NonNullable<ResumedEntry["paths"]>[number],
  idOf: (object: string) => string,
): ResumedPath {
  const path = { was: boundedField(was), now: boundedField(now) };
  return object === undefined ? path : { ...path, id: boundedField(idOf(object)) };
}

function changesOf(
  { before, after }: ResumedEntry["files"][number],
  room: number,
): Pick<ResumedFile, "added" | "removed" | "diff" | "hunksOmitted"> {
  if (before === null || after === null) return {};
  const lines = changedLines(before, after);
  if (lines === undefined || lines === "") return {};
  const hunks = lines.split(/\n(?=@@ )/);
  const shown: string[] = [];
  let chars = 0;
  for (const hunk of hunks) {
    chars += hunk.length + 1;
    if (chars > room) break;
    shown.push(hunk);
  }
  const count = (sign: string) => lines.split("\n").filter((line) => line.startsWith(sign)).length;
  return {
    added: count("+"),
    removed: count("-"),
    ...nonEmpty({ diff: shown.join("\n") }),
    ...(shown.length < hunks.length ? { hunksOmitted: hunks.length - shown.length } : {}),
  };
}

function checkoutOf({ was, now }: ResumedEntry["checkouts"][number]): ResumedCheckout {
  return defined({ was: fieldsOf(was), now: fieldsOf(now) });
}

function fieldsOf(checkout: Checkout | undefined): CheckoutFields | undefined {
  if (checkout === undefined) return undefined;
  const { root, commit, branch } = checkout;
  const bounded = (text: string | undefined) => (text === undefined ? undefined : boundedField(text));
  return { root: boundedField(root), ...defined({ commit: bounded(commit), branch: bounded(branch) }) };
}

/** The pins that a window forced out, as many as one notice names. */
export function releasedBlock({ objects }: ReleasedEntry, idOf: (object: string) => string): ReleasedBlock {
  const ids = objects.slice(0, limits.releasedNamesMax).map(idOf);
  const omitted = objects.length - ids.length;
  return { kind: "released", ids, ...(omitted === 0 ? {} : { omitted }) };
}
