import type { StepAddress } from "@cm/object-model";
import type { TaskSetting } from "./governance-options.ts";

/** What the caller of a run said of it. */
export interface AskedTask {
  readonly user?: string | undefined;
  readonly task?: Partial<TaskSetting>;
  readonly recovers?: RecoveredTask;
  /** The session whose history it begins with, in the same workspace. */
  readonly continues?: string;
  /** The run that began it: it may what that one may. */
  readonly spawnedBy?: string;
}

/** A task that a crash interrupted, and where it goes on. */
export interface RecoveredTask {
  readonly taskId: string;
  readonly prompt: string;
  /** The newest step that is in the store; undefined where it took none, or none that can be read. */
  readonly at: StepAddress | undefined;
  /** What of the session could be read: all of it, what it had said before the task, or nothing. */
  readonly from: "checkpoint" | "history" | "nothing";
}
