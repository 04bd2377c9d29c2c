import { namedPolicies, type PolicyName } from "@cm/replay";
import type { Database } from "../replay/database.ts";
import type { LiveRun } from "./results/live-result.ts";
import { runTask, type TaskSetting } from "./run-task.ts";

export interface LiveSetting
  extends Omit<TaskSetting, "policy" | "repetition" | "seed" | "store">,
    Pick<TaskSetting, "stepsMax"> {
  readonly policies: readonly PolicyName[];
  readonly repetitions: number;
  /** Seed of the first repetition; each further one has the next. */
  readonly seed?: number | undefined;
  readonly databaseFor: (task: string, policy: string) => Promise<Database>;
  readonly onRun?: (run: LiveRun, left: number) => void;
}

/**
 * Every task under every policy, so often, one after the other. The policies take turns within a repetition, so that
 * an endpoint that gets slower or better in the course of it does so for all.
 * @throws CmError of a `LiveErrorCode`, or what the session throws
 */
export async function runLive(setting: LiveSetting): Promise<readonly LiveRun[]> {
  const { experiment, policies, repetitions, databaseFor, onRun } = setting;
  const runs: LiveRun[] = [];
  const all = experiment.tasks.length * policies.length * repetitions;
  for (const repetition of Array.from({ length: repetitions }, (_, index) => index)) {
    const seed = setting.seed === undefined ? undefined : setting.seed + repetition;
    for (const task of experiment.tasks) {
      for (const name of policies) {
        const database = await databaseFor(task.name, `${name}-${repetition}`);
        try {
          const policy = { name, ...namedPolicies[name] };
          const run = await runTask(task, { ...setting, policy, repetition, seed, store: database.store });
          runs.push({ ...run, database: database.file });
          onRun?.({ ...run, database: database.file }, all - runs.length);
        } finally {
          await database.release();
        }
      }
    }
  }
  return runs;
}
