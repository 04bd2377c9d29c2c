import type { LogEntry, ViewObject } from "@cm/context-log";
import { type LogState, movedPaths, type ShownFile } from "@cm/context-log/state";
import { type Checkout, type MovedPath, limits as modelLimits, nonEmpty } from "@cm/object-model";
import { askedInVain } from "../files/asked-in-vain.ts";
import { type CheckoutChange, type Checkouts, changedCheckouts } from "../files/checkouts.ts";
import type { FileIndex } from "../files/file-index.ts";
import { inSightOf, type Observed, observedIn } from "../files/observed.ts";
import { fileIdOf, type IndexedFile } from "../files/touches.ts";
import { limits } from "../limits.ts";
import type { OpenStep } from "../step/open-step.ts";
import { type Pending, type PendingObjects, touchesOf } from "../step/pending.ts";
import type { Resumed } from "../step/step-documents.ts";

interface ResumingOptions {
  readonly state: LogState;
  readonly files: FileIndex;
  readonly checkouts: Checkouts;
  /** Whether files are looked at. */
  readonly look: boolean;
  /** Whether the agent is told what the look found. */
  readonly tell: boolean;
  /** What the session had taken in when it was paused, with the objects that it names. */
  readonly pending: Pending | undefined;
  readonly objects: PendingObjects;
  /** The path of each file in sight as the agent sees it today. */
  readonly paths: ReadonlyMap<string, string>;
}

/**
 * Takes a session up where it was left (SSOT 3.6): a look at all files in sight, what of it the agent is told, and what
 * was pending. Nothing of it is done until the look's new versions are stored: if that fails it is due again.
 */
export class Resuming {
  readonly #options: ResumingOptions;
  #isDue = true;
  #report: ResumeReport | undefined;
  /** What the look at the files found: it is made once, whatever fails after it. */
  #swept: readonly IndexedFile[] | undefined;

  constructor(options: ResumingOptions) {
    this.#options = options;
  }

  /** Undefined before the look, or where none is asked for. */
  get report(): ResumeReport | undefined {
    return this.#report;
  }

  /** @throws what the store throws; called again, it tries again */
  async intoStep(step: OpenStep): Promise<void> {
    if (!this.#isDue) return;
    const { look, state, pending, objects } = this.#options;
    const looked = look ? await this.#look() : undefined;
    this.#isDue = false;
    const findings = this.#tell(step, looked);
    step.see(looked?.found ?? []);
    // What was pending of a file is old where the look found another version.
    const swept = new Map((looked?.found ?? []).map((file) => [file.id, file]));
    const files = objects.files.map((file) => swept.get(file.id) ?? file);
    if (pending !== undefined) step.restore(pending, { ...objects, files });
    if (looked !== undefined) this.#report = reportOf(state.objects, findings);
  }

  async #look(): Promise<Looked> {
    const { state, files, checkouts } = this.#options;
    const now = state.checkouts.length > 0 ? await checkouts.now() : undefined;
    this.#swept ??= await files.sweep();
    const found = [...this.#swept];
    for (const id of this.#asked()) found.push(...(await files.read(id)));
    return { found, checkouts: now };
  }

  /** What was read of these before the pause was for the request to come. */
  #asked(): readonly string[] {
    const { state, files, pending } = this.#options;
    const { added = [], removed = [] } = pending?.changes?.requested ?? {};
    const asked = new Set([...state.sets.requested, ...added]);
    return askedInVain(
      state,
      files,
      [...asked].filter((id) => !removed.includes(id)),
    );
  }

  /** The agent is told before anything else comes in: so says the step, and so its prompt is rebuilt. */
  #tell(step: OpenStep, looked: Looked | undefined): ResumeFindings {
    const { state, tell } = this.#options;
    const inSight = looked === undefined ? [] : this.#changedInSight(looked);
    const findings = {
      ...(looked === undefined ? nothingFound : this.#findings(looked, inSight)),
      paths: movedPaths(this.#shown()),
    };
    const { paths } = findings;
    // An app that tells it itself still has the paths of today in its prompts.
    const unannounced = paths.length > 0 ? { paths: [...paths], told: false as const } : undefined;
    const told = tell ? toldOnResume(state.log, findings) : unannounced;
    if (told !== undefined) step.resume(told, inSight);
    return findings;
  }

  #changedInSight({ found }: Looked): readonly IndexedFile[] {
    const { state, objects, pending } = this.#options;
    const isFound = new Set(found.map(({ id }) => id));
    // Of what was found before the pause no step says that it was told, unless a late result found it.
    const untold = objects.files.filter((file) => !isFound.has(file.id) && !isOfLateResult(file, pending));
    return inSightOf(state, [...found, ...untold]);
  }

  #findings({ checkouts }: Looked, inSight: readonly IndexedFile[]): Omit<ResumeFindings, "paths"> {
    const { state, files } = this.#options;
    const observed = observedIn(state, inSight);
    // In the place of these stands a file that was looked at.
    const succeeded = new Set(observed.flatMap(({ succeeds }) => succeeds ?? []));
    return {
      observed: observed.filter((seen) => isChange(state, seen)),
      unreachable: unreachableFiles(state, files).filter(({ file }) => !succeeded.has(file)),
      checkouts: checkouts === undefined ? [] : changedCheckouts(state.checkouts, checkouts),
    };
  }

  /** Mounts may be others than those that the session was left under, and so may the client. */
  #shown(): readonly ShownFile[] {
    const { state, paths } = this.#options;
    return [...paths].flatMap(([id, now]) => {
      const was = state.objects.get(id)?.path;
      return was === undefined ? [] : [{ id, was, now }];
    });
  }
}

/** Whether it is as a late result left it, which stands in the prompt itself. */
function isOfLateResult({ id, document }: IndexedFile, pending: Pending | undefined): boolean {
  const hash = document?.source_hash ?? null;
  return touchesOf(pending ?? {}).some((touch) => touch.sourceHash === hash && fileIdOf(touch) === id);
}

const nothingFound = { observed: [], unreachable: [], checkouts: [] };

interface Looked {
  readonly found: readonly IndexedFile[];
  /** Undefined where no source can tell, or nothing is there to compare with. */
  readonly checkouts: readonly Checkout[] | undefined;
}

/** Another content than the one in sight; a path that was only listed and was read on request has none to differ from. */
function isChange({ inSight, objects }: LogState, seen: Observed[number]): boolean {
  const { file, content_hash, succeeds = file } = seen;
  return inSight.get(succeeds)?.contentHash !== content_hash && objects.get(succeeds)?.textless !== "unread";
}

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
  /** No source could look: what is stored stays as it is. */
  readonly unreachable: readonly (ReportedFile & { readonly reason: string })[];
  readonly checkouts: readonly CheckoutChange[];
  /** Folders, or single files, that the agent sees under another path than when the session was left; absent for none. */
  readonly paths?: readonly MovedPath[];
}

/** What a look at all files in sight found. */
interface ResumeFindings {
  /** Versions with another content than the ones in sight. */
  readonly observed: Observed;
  readonly unreachable: readonly { readonly file: string; readonly reason: string }[];
  readonly checkouts: readonly CheckoutChange[];
  readonly paths: readonly MovedPath[];
}

/** Files in sight that no source can look at now. A path that was only listed was never looked at. */
function unreachableFiles(state: LogState, files: FileIndex): ResumeFindings["unreachable"] {
  return [...state.inSight.keys()].flatMap((file) => {
    if (state.objects.get(file)?.textless === "unread") return [];
    const known = files.known(file);
    if (known === undefined) return [{ file, reason: "no source" }];
    if (known.last !== "unreachable") return [];
    return [{ file, reason: (known.reason ?? "no answer").slice(0, modelLimits.nameCharsMax).toWellFormed() }];
  });
}

/** What the agent is told of it, in the form in which the step keeps it. Undefined: nothing that it does not know. */
function toldOnResume(
  log: readonly LogEntry[],
  { observed, unreachable, checkouts, paths }: ResumeFindings,
): Resumed | undefined {
  // The log is long, and most often there is nothing to look for in it.
  const told = unreachable.length === 0 ? new Map<string, string>() : toldUnreachable(log);
  const news = unreachable
    .filter(({ file, reason }) => told.get(file) !== reason)
    .slice(0, limits.unreachableToldMax)
    .map(({ file, reason }) => ({ file, reason }));
  if (observed.length + news.length + checkouts.length + paths.length === 0) return undefined;
  return nonEmpty({ observed: [...observed], unreachable: news, checkouts: [...checkouts], paths: [...paths] });
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
function reportOf(
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
    ...nonEmpty({ paths }),
  };
}
