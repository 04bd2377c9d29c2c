import type { Lineage } from "@cm/lineage";
import { defined } from "@cm/object-model";
import { serverError } from "../errors.ts";
import type { RunningTask } from "./run-parts.ts";

/** The tasks that run on this server, and the sessions in which other servers of the store run some. */
export class RunningTasks {
  readonly #lineage: Pick<Lineage, "elsewhere">;
  readonly #tasks = new Map<string, RunningTask>();

  constructor(lineage: Pick<Lineage, "elsewhere">) {
    this.#lineage = lineage;
  }

  began(taskId: string, task: RunningTask): void {
    this.#tasks.set(taskId, task);
  }

  ended(taskId: string): void {
    this.#tasks.delete(taskId);
  }

  /** One that runs here. */
  get(taskId: string): RunningTask | undefined {
    return this.#tasks.get(taskId);
  }

  cancelAllIn(sessionId: string): void {
    for (const task of this.#tasks.values()) if (task.sessionId === sessionId) task.cancel();
  }

  /** Whether another server executes a run of a session. */
  async runsElsewhere(sessionId: string): Promise<boolean> {
    return (await this.#sessionsElsewhere(sessionId)).size > 0;
  }

  /** @throws CmError `server/session-busy` where a task runs in one of these sessions, on whatever server */
  async checkIdle(sessions: readonly string[], { what, id }: { readonly what: string; readonly id: string }) {
    const here = new Set([...this.#tasks.values()].map(({ sessionId }) => sessionId));
    const [only, ...others] = sessions;
    const elsewhere = await this.#sessionsElsewhere(others.length === 0 ? only : undefined);
    if (sessions.some((session) => here.has(session) || elsewhere.has(session)))
      throw serverError("server/session-busy", `A task runs in the ${what}; cancel it first.`, { id });
  }

  async #sessionsElsewhere(conversationId?: string): Promise<ReadonlySet<string>> {
    const sessions = new Set<string>();
    for await (const { run } of this.#lineage.elsewhere(defined({ conversationId }))) sessions.add(run.conversation_id);
    return sessions;
  }
}
