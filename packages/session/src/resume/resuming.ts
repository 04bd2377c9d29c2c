import type { FileIndex, IndexedFile } from "../indexing/file-index.ts";
import type { SessionState } from "../state/session-state.ts";
import { observedIn } from "../steps/observed.ts";
import type { OpenStep } from "../steps/open-step.ts";
import type { PendingObjects } from "../steps/taken-in.ts";
import type { Checkouts } from "./ask-checkouts.ts";
import { changedCheckouts } from "./changed-checkouts.ts";
import type { Pending } from "./pending.ts";
import { type ResumeReport, reportOf, toldOnResume, unreachableFiles } from "./resume-report.ts";

export interface ResumingOptions {
  readonly state: SessionState;
  readonly files: FileIndex;
  readonly checkouts: Checkouts;
  /** Whether files are looked at. */
  readonly look: boolean;
  /** Whether the agent is told what the look found. */
  readonly tell: boolean;
  /** What the session had taken in when it was paused, with the objects that it names. */
  readonly pending: Pending | undefined;
  readonly objects: PendingObjects;
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
    const { state, pending, objects, look } = this.#options;
    const found = new Map((look ? await this.#look(step) : []).map((file) => [file.id, file]));
    this.#isDue = false;
    if (pending === undefined) return;
    // What changed since is in sight already, but for files that come into the session only now.
    const files = objects.files.flatMap((file) => {
      const news = found.get(file.id);
      return news === undefined ? [file] : state.inSight.has(file.id) ? [] : [news];
    });
    step.restore(pending, { ...objects, files });
  }

  /** Gives what was found changed, in sight or not. */
  async #look(step: OpenStep): Promise<readonly IndexedFile[]> {
    const { state, files, checkouts, tell } = this.#options;
    const now = state.checkouts.length > 0 ? await checkouts.now() : undefined;
    const swept = await files.sweep();
    const found = swept.filter(({ id }) => state.inSight.has(id));
    const findings = {
      observed: observedIn(state, found).filter(
        ({ file, content_hash }) => content_hash !== state.inSight.get(file)?.contentHash,
      ),
      unreachable: unreachableFiles(state, files),
      checkouts: now === undefined ? [] : changedCheckouts(state.checkouts, now),
    };
    const told = tell ? toldOnResume(state.log, findings) : undefined;
    if (told !== undefined) step.resume(told, found);
    step.see(found);
    this.#report = reportOf(state.objects, findings);
    return swept;
  }
}
