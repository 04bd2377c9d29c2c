import type { LogEntry, ViewObject } from "@cm/context-log";
import type { LogState } from "@cm/context-log/state";
import { type DocumentOf, type MovedPath, limits as modelLimits } from "@cm/object-model";
import type { CheckoutChange } from "../files/changed-checkouts.ts";
import type { FileIndex } from "../files/file-index.ts";
import { limits } from "../limits.ts";

/** A file of the session, as the agent names it. */
export interface ReportedFile {
  readonly id: string;
  readonly alias: string;
  readonly path: string;
}

/** What had changed when a session was continued (SSOT 3.6). */
export interface ResumeReport {
  /** Another content than the one in sight. */
  readonly changed: readonly ReportedFile[];
  readonly deleted: readonly ReportedFile[];
  /** Nobody could look: what is stored stays as it is. */
  readonly unreachable: readonly (ReportedFile & { readonly reason: string })[];
  readonly checkouts: readonly CheckoutChange[];
  /** Folders, or single files, that the agent sees under another path than when the session was left; absent for none. */
  readonly paths?: readonly MovedPath[];
}

/** What a look at all files in sight found. */
export interface ResumeFindings {
  /** Versions with another content than the ones in sight. */
  readonly observed: NonNullable<NonNullable<DocumentOf<"step">["resumed"]>["observed"]>;
  readonly unreachable: readonly { readonly file: string; readonly reason: string }[];
  readonly checkouts: readonly CheckoutChange[];
  readonly paths: readonly MovedPath[];
}

/** Files in sight that nobody can look at now. A path that was only listed was never looked at. */
export function unreachableFiles(state: LogState, files: FileIndex): ResumeFindings["unreachable"] {
  return [...state.inSight.keys()].flatMap((file) => {
    if (state.objects.get(file)?.textless === "unread") return [];
    const known = files.known(file);
    if (known === undefined) return [{ file, reason: "no source" }];
    if (known.last !== "unreachable") return [];
    return [{ file, reason: (known.reason ?? "no answer").slice(0, modelLimits.nameCharsMax).toWellFormed() }];
  });
}

/** What the agent is told of it, in the form in which the step keeps it. Undefined: nothing that it does not know. */
export function toldOnResume(
  log: readonly LogEntry[],
  { observed, unreachable, checkouts, paths }: ResumeFindings,
): NonNullable<DocumentOf<"step">["resumed"]> | undefined {
  const told = toldUnreachable(log);
  const news = unreachable
    .filter(({ file, reason }) => told.get(file) !== reason)
    .slice(0, limits.unreachableToldMax)
    .map(({ file, reason }) => ({ file, reason }));
  if (observed.length + news.length + checkouts.length + paths.length === 0) return undefined;
  return {
    ...(observed.length > 0 ? { observed: [...observed] } : {}),
    ...(news.length > 0 ? { unreachable: news } : {}),
    ...(checkouts.length > 0 ? { checkouts: [...checkouts] } : {}),
    ...(paths.length > 0 ? { paths: [...paths] } : {}),
  };
}

/** Why files are out of reach, as the agent was told last. One that a call named since, or that changed, is news again. */
function toldUnreachable(log: readonly LogEntry[]): ReadonlyMap<string, string> {
  const told = new Map<string, string>();
  for (const entry of log) {
    if (entry.kind === "result") for (const file of entry.files) told.delete(file);
    if (entry.kind !== "resumed") continue;
    for (const { object } of entry.files) told.delete(object);
    for (const { object, reason } of entry.unreachable) told.set(object, reason);
  }
  return told;
}

/** @param objects as they are after the look */
export function reportOf(
  objects: ReadonlyMap<string, ViewObject>,
  { observed, unreachable, checkouts, paths }: ResumeFindings,
): ResumeReport {
  const named = (id: string): ReportedFile => {
    const { alias = "", path = "" } = objects.get(id) ?? {};
    return { id, alias, path };
  };
  const isDeleted = ({ file }: { readonly file: string }) => objects.get(file)?.textless === "deleted";
  return {
    changed: observed.filter((seen) => !isDeleted(seen)).map(({ file }) => named(file)),
    deleted: observed.filter(isDeleted).map(({ file }) => named(file)),
    unreachable: unreachable.map(({ file, reason }) => ({ ...named(file), reason })),
    checkouts,
    ...(paths.length > 0 ? { paths } : {}),
  };
}
