import { failure } from "../errors.ts";
import { limits } from "../limits.ts";
import { type Moves, moved } from "./moves.ts";

/** Domain model, "Task": running, then ended once. A step has the same life. */
export const taskStates = ["running", "completed", "failed", "cancelled"] as const;
export type TaskState = (typeof taskStates)[number];
export type TaskEnding = Exclude<TaskState, "running">;

export const taskMoves: Moves<TaskState> = {
  running: ["completed", "failed", "cancelled"],
  completed: [],
  failed: [],
  cancelled: [],
};

/** @throws CmError `governance/invalid-move` */
export const moveTask = (from: TaskState, to: TaskState): TaskState => moved(taskMoves, from, to);

export type StepState = TaskState;
export const stepMoves: Moves<StepState> = taskMoves;
export const moveStep: typeof moveTask = moveTask;

/** Why a task that used all of its steps failed. */
export const maxStepsExceeded = "max_steps_exceeded";

/** @throws CmError `governance/limit` where it is no whole number from 1 to `taskStepsMax` */
export function checkMaxSteps(maxSteps: number): number {
  if (Number.isInteger(maxSteps) && maxSteps >= 1 && maxSteps <= limits.taskStepsMax) return maxSteps;
  throw failure("governance/limit", `A task has 1 to ${limits.taskStepsMax} steps; ask for as many.`, {
    limit: "taskStepsMax",
    actual: maxSteps,
    bound: limits.taskStepsMax,
  });
}

/** After how many steps a task is warned that few are left: the whole part of four fifths. */
export const stepWarningAt = (maxSteps: number): number => Math.floor((checkMaxSteps(maxSteps) * 4) / 5);

/**
 * Where a task stands after some steps. Asked once for each count from 0 on, it warns exactly once: a task of one step
 * is warned before that step.
 */
export function stepAllowance(
  maxSteps: number,
  taken: number,
): { readonly warns: boolean; readonly isUsedUp: boolean; readonly left: number } {
  return {
    warns: taken === stepWarningAt(maxSteps),
    isUsedUp: taken >= maxSteps,
    left: Math.max(0, maxSteps - taken),
  };
}
