import type { ObjectStore } from "@cm/object-model";
import type { NewArtifact, Workspaces } from "@cm/workspace";
import type { TaskSetting } from "./governance-options.ts";
import type { TaskParts } from "./task-context.ts";

/** A task that runs here, as others reach it. */
export interface RunningTask {
  readonly sessionId: string;
  readonly setting: TaskSetting;
  cancel(): void;
}

export interface RunParts extends TaskParts {
  readonly cwd: string;
  readonly deferred: ReadonlySet<string>;
  readonly workspaces: Workspaces;
  /** Where tool calls are. */
  readonly content: ObjectStore;
  readonly prompt: string;
  /** It goes on after a crash. */
  readonly isContinued: boolean;
  /** Behind a step that it took before that. */
  readonly hasSteps: boolean;
  readonly fault: (what: string, error: unknown) => void;
  /** Takes what it made into the workspace; no step waits for that. */
  readonly keep: (made: readonly NewArtifact[]) => void;
  /** Whether its run goes on in the records, too: another server may have taken this one for dead. */
  readonly holds: () => Promise<boolean>;
  /** Called when it begins. */
  readonly began: (run: RunningTask) => void;
  /** Called when it is over, in the records too. */
  readonly ended: () => void;
}
