import { type LogState, movedPaths, type ShownFile } from "@cm/context-log/state";
import type { Checkout } from "@cm/object-model";
import type { Checkouts } from "../files/ask-checkouts.ts";
import { changedCheckouts } from "../files/changed-checkouts.ts";
import type { FileIndex } from "../files/file-index.ts";
import type { IndexedFile } from "../files/touches.ts";
import { inSightOf, type Observed, observedIn } from "../history/observed.ts";
import type { OpenStep } from "../step/open-step.ts";
import type { Pending } from "../step/pending.ts";
import type { PendingObjects } from "../step/taken-in.ts";
import { type ResumeFindings, type ResumeReport, reportOf, toldOnResume, unreachableFiles } from "./resume-report.ts";

export interface ResumingOptions {
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

  constructor(options: ResumingOptions) {
    this.#options = options;
  }

  /** Undefined before it was looked, or where nobody wants to. */
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
    return { found: await files.sweep(), checkouts: now };
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
    const { state, objects } = this.#options;
    const isFound = new Set(found.map(({ id }) => id));
    // Of what was found before the pause no step says that it was told.
    const changed = [...found, ...objects.files.filter(({ id }) => !isFound.has(id))];
    return inSightOf(state, changed);
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

const nothingFound = { observed: [], unreachable: [], checkouts: [] };

interface Looked {
  readonly found: readonly IndexedFile[];
  /** Undefined where nobody can tell, or nothing is there to compare with. */
  readonly checkouts: readonly Checkout[] | undefined;
}

/** Another content than the one in sight; a path that was only listed and was read on request has none to differ from. */
function isChange({ inSight, objects }: LogState, seen: Observed[number]): boolean {
  const { file, content_hash, succeeds = file } = seen;
  return inSight.get(succeeds)?.contentHash !== content_hash && objects.get(succeeds)?.textless !== "unread";
}
