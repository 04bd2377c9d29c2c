import type { RecoveredTask } from "../runs/run-requests.ts";
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
