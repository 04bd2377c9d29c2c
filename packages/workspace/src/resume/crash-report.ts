import type { TaskFields } from "../documents/types.ts";
import type { HistoryMessage, SessionHistory, ThreadMessage } from "../lifecycle/history.ts";

/** A task that a crash interrupted. */
export interface IncompleteTask {
  readonly sessionId: string;
  readonly taskId: string;
  readonly prompt: string;
  readonly lastStep: number;
  readonly maxSteps: number;
}

/** What to tell of tasks that never ended, oldest first. */
export function crashReport(tasks: readonly TaskFields[]): readonly IncompleteTask[] {
  return tasks
    .filter(({ status, state }) => status === "running" && state === "live")
    .sort((a, b) => a.started_at - b.started_at)
    .map((task) => ({
      sessionId: task.session_id,
      taskId: task.task_id,
      prompt: task.prompt ?? "",
      lastStep: task.steps,
      maxSteps: task.max_steps,
    }));
}

/** The thread with a task's prompt at its end, unless the task is one that goes on and has its prompt in it. */
export function threadWithPrompt(
  thread: readonly ThreadMessage[],
  prompt: ThreadMessage & { readonly role: "user"; readonly taskId: string },
): readonly ThreadMessage[] {
  const isThere = thread.some(({ role, taskId }) => role === "user" && taskId === prompt.taskId);
  return isThere ? thread : [...thread, prompt];
}

/** The thread of a new session that goes on from another one's history: its messages, without system prompts. */
export const continuedThread = (history: SessionHistory | undefined): readonly ThreadMessage[] =>
  (history?.messages ?? []).filter(({ isSystem }) => !isSystem).map(asThread);

const asThread = (message: HistoryMessage): ThreadMessage => ({
  messageId: message.messageId,
  role: message.role,
  ...(message.content === null ? {} : { content: message.content }),
  taskId: message.taskId,
  stepId: message.stepId,
  tokenCount: message.tokenCount,
  at: Date.parse(message.timestamp),
});
