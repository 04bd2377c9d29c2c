import { randomUUID } from "node:crypto";
import { EventType } from "@ag-ui/core";
import { type ApprovalClock, parseEvent, sessionChain } from "@cm/governance";
import type { Lineage, Run } from "@cm/lineage";
import type { JsonObject, ObjectStore } from "@cm/object-model";
import { crashReport, type IncompleteTask, openWorkspaces, type SessionFields, type Workspaces } from "@cm/workspace";
import { serverError } from "../errors.ts";
import { deferredOf } from "../tools/deferred-tools.ts";
import { Approvals } from "./approvals.ts";
import type { AskedTask } from "./asked-task.ts";
import { AuditSpool, recoverSpools, type TaskName } from "./audit-spool.ts";
import { type DeletionParts, deleteHistory, deleteWorkspace } from "./deletions.ts";
import { EventLog } from "./event-log.ts";
import { type GovernanceOptions, taskDefaults } from "./governance-options.ts";
import type { GovernedSession } from "./governed-session.ts";
import { KeptArtifacts } from "./kept-artifacts.ts";
import { KnownSessions } from "./known-sessions.ts";
import { networkCut } from "./network-cut.ts";
import type { PlannedRun, ToldRun } from "./planned-run.ts";
import { keepFor } from "./retention.ts";
import type { RunParts } from "./run-parts.ts";
import { RunningTasks } from "./running-tasks.ts";
import { checkGoesOn, checkHasNotEnded, SessionOpening } from "./session-opening.ts";

export interface BegunRun {
  readonly run: Run;
  readonly plan: PlannedRun;
  readonly live: ToldRun;
  readonly asked: AskedTask;
}

export interface GovernanceParts extends GovernanceOptions {
  /** The server's: where tool calls are. */
  readonly content: ObjectStore;
  readonly lineage: Pick<Lineage, "elsewhere" | "run">;
  readonly fault: (what: string, error: unknown) => void;
}

const realClock: ApprovalClock = {
  now: Date.now,
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

/** The governed sessions of this server: a conversation is a session, a run is a task. */
export class Governance {
  readonly workspaces: Workspaces;
  readonly approvals: Approvals;
  readonly events: EventLog;
  readonly #parts: GovernanceParts;
  readonly #clock: ApprovalClock;
  readonly #spool: AuditSpool | undefined;
  #stopKeeping = () => {};
  readonly #sessions: KnownSessions;
  readonly #tasks: RunningTasks;
  readonly #artifacts: KeptArtifacts;

  constructor(parts: GovernanceParts) {
    this.#parts = parts;
    const { records = parts.content, content, clock = realClock, newId = randomUUID, fault, telemetry } = parts;
    this.#clock = clock;
    this.workspaces = openWorkspaces({ records, content, newId, now: () => clock.now() });
    const { audit } = this.workspaces;
    this.#spool = parts.spool === undefined ? undefined : new AuditSpool({ folder: parts.spool, fault });
    const spool = this.#spool;
    this.events = new EventLog({ audit, spool, telemetry, fault, now: () => clock.now() });
    const { policy, tenantId } = parts;
    const opening = { policy, tenantId, fault, workspaces: this.workspaces, events: this.events };
    const opener = new SessionOpening({ ...opening, now: () => clock.now() });
    this.#sessions = new KnownSessions(this.workspaces, opener);
    this.#tasks = new RunningTasks(parts.lineage);
    this.#artifacts = new KeptArtifacts({ workspaces: this.workspaces, events: this.events, fault });
    this.approvals = new Approvals({ clock, newId, audit, spool, fault, events: this.events });
  }

  /** Begins to take what is kept too long. */
  keep(log: (fields: Readonly<Record<string, unknown>>) => void): void {
    const { retention = {}, fault } = this.#parts;
    this.#stopKeeping = keepFor(retention, { workspaces: this.workspaces, clock: this.#clock, log, fault });
  }

  /** Writes what servers said that were killed before it was in the audit. How much; what cannot be written stays. */
  async recoverAudit(): Promise<number> {
    const { spool: folder, fault } = this.#parts;
    const { audit } = this.workspaces;
    if (folder === undefined) return 0;
    return recoverSpools({ folder, fault }, async (entries) => {
      for (const entry of entries) {
        if ("approval" in entry) await audit.saveApproval(entry.approval);
        else if (await this.#isTrue(entry)) audit.emit(parseEvent(entry.event));
      }
      return audit.flush();
    });
  }

  /** Not where a server was killed before it had written what it would have told. */
  async #isTrue({ ends }: { readonly ends?: TaskName }): Promise<boolean> {
    if (ends === undefined) return true;
    const task = await this.workspaces.readTask(ends);
    return task !== undefined && task.status !== "running";
  }

  /** @throws CmError `server/session-paused`, `server/session-ended`, also where another server ended or paused it */
  async checkStart(sessionId: string): Promise<void> {
    const known = await this.#sessions.known(sessionId);
    if (known !== undefined) return known.checkTakesTask(this.#clock.now());
    const fields = await this.#sessions.recorded(sessionId);
    if (fields !== undefined) checkGoesOn(fields);
  }

  /** Opens the run's session, and begins it as a task of it. @throws CmError `server/policy`, `server/session-...` */
  async begin(begun: BegunRun): Promise<RunParts> {
    // A task that goes on after a crash goes on under another policy, also where its session is paused.
    if (begun.asked.recovers !== undefined) await this.resume(begun.run.conversation_id);
    const session = await this.#sessions.opened(begun.run.conversation_id, begun.plan, begun.asked);
    session.tasks += 1;
    try {
      return await this.#beginIn(session, begun);
    } catch (error) {
      session.tasks -= 1;
      throw error;
    }
  }

  async #beginIn(session: GovernedSession, { run, plan, live, asked }: BegunRun): Promise<RunParts> {
    const { session_id: runId, conversation_id: sessionId } = run;
    const taskId = asked.recovers?.taskId ?? runId;
    const spawner = asked.spawnedBy === undefined ? undefined : this.#tasks.get(asked.spawnedBy);
    const asking = spawner?.setting ?? { ...taskDefaults, ...this.#parts.taskDefaults, ...asked.task };
    const prompt = asked.recovers?.prompt ?? plan.input.map(({ text }) => text).join("\n\n");
    await session.checkTakesTask(this.#clock.now());
    const { task, isContinued } = await this.workspaces.startTask(sessionId, { taskId, prompt, ...asking });
    const setting = { maxSteps: task.max_steps, allowNetwork: task.allow_network, approvalMode: task.approval_mode };
    const { model } = plan.preset;
    for (const name of [model.id, ...plan.preset.tools.map((tool) => (typeof tool === "string" ? tool : tool.name))])
      this.events.names.add(name);
    const tell = (name: string, value: JsonObject) => live.push([{ type: EventType.CUSTOM, name, value }]);
    if (asked.recovers !== undefined) {
      const { from } = asked.recovers;
      tell("task_recovered", { task_id: taskId, from, steps: task.steps });
      const severity = from === "checkpoint" ? {} : ({ severity: "warning" } as const);
      const payload = { incompleteTask: taskId, prompt, lastStep: task.steps, maxSteps: task.max_steps, from };
      this.events.say("session_recovered", { chain: session.chain, ...session.owner, payload, ...severity });
    }
    return {
      ...{ taskId, session, setting, prompt, taken: task.steps, signal: live.signal, fault: this.#parts.fault },
      ...{ events: this.events, approvals: this.approvals, workspaces: this.workspaces },
      now: () => this.#clock.now(),
      networkCut: this.#parts.networkCut ?? (() => networkCut()),
      tell,
      cwd: plan.folders[0] ?? "/",
      deferred: new Set(deferredOf(plan.preset.tools).map(({ name }) => name)),
      ...{ content: this.#parts.content, isContinued, hasSteps: asked.recovers?.at !== undefined },
      keep: (made) => this.#artifacts.keep(made, session),
      holds: async () => (await this.#parts.lineage.run(runId)).status === "created",
      began: (task) => this.#tasks.began(taskId, task),
      ended: () => {
        session.tasks -= 1;
        this.#tasks.ended(taskId);
      },
    };
  }

  /** Asks for another bundle, and goes on under it. @throws CmError `server/policy`, `server/session-ended`, `server/not-found` */
  resume(sessionId: string): Promise<SessionFields> {
    return this.#sessions.resume(sessionId);
  }

  /** A task that a crash interrupted, and that may go on. @throws CmError `server/not-found`, `server/session-ended` */
  async interruptedTask(sessionId: string, taskId: string): Promise<IncompleteTask> {
    checkHasNotEnded(await this.workspaces.readSession(sessionId));
    const task = (await this.incompleteTasks(sessionId)).find((each) => each.taskId === taskId);
    if (task !== undefined) return task;
    throw serverError("server/not-found", "No such task of this session was interrupted.");
  }

  /** Ends a session: what runs in it is cancelled. @throws CmError `server/session-ended`, `workspace/not-found` */
  async end(sessionId: string, state: "SESSION_COMPLETED" | "SESSION_CANCELLED"): Promise<void> {
    const fields = await this.workspaces.readSession(sessionId);
    const known = await this.#sessions.known(sessionId);
    checkHasNotEnded({ session_id: sessionId, status: known?.state ?? fields.status });
    this.#tasks.cancelAllIn(sessionId);
    const chain = sessionChain({ sessionId, workspaceId: fields.workspace_id });
    const owner = { tenantId: fields.tenant_id, userId: fields.user_id };
    if (known === undefined) await this.workspaces.setSessionState(sessionId, state);
    else {
      known.end(state);
      await known.written();
    }
    const facts = { chain, ...owner, component: "SessionService" as const };
    if (state === "SESSION_COMPLETED")
      this.events.say("session_completed", { ...facts, payload: { taskCount: fields.task_count } });
    else this.events.say("session_cancelled", facts);
    await this.events.flush();
  }

  /** Whether a task runs on this server. */
  executes(taskId: string): boolean {
    return this.#tasks.get(taskId) !== undefined;
  }

  /** @throws CmError `server/not-found` where no such task runs here */
  cancelTask({ session_id, task_id }: { readonly session_id: string; readonly task_id: string }): void {
    const task = this.#tasks.get(task_id);
    if (task?.sessionId !== session_id)
      throw serverError(
        "server/not-found",
        "No such task of this session runs; the list of its tasks says how they ended.",
      );
    task.cancel();
  }

  /** Tasks that never ended and run on no server: what a crash left. */
  async incompleteTasks(sessionId: string): Promise<readonly IncompleteTask[]> {
    const running = await this.workspaces.runningTasks(sessionId);
    const left = crashReport(running).filter(({ taskId }) => this.#tasks.get(taskId) === undefined);
    // Which of its tasks another server's run is of stands in no record of the run.
    return left.length > 0 && (await this.#tasks.runsElsewhere(sessionId)) ? [] : left;
  }

  /** @throws CmError `workspace/not-found`, `server/session-busy` while a task runs in it */
  deleteWorkspace(workspaceId: string): Promise<{ readonly sessions: number; readonly records: number }> {
    return deleteWorkspace(workspaceId, this.#deletion);
  }

  /** Whether there was anything. @throws CmError `workspace/not-found`, `server/session-busy` while a task runs in it */
  deleteHistory(sessionId: string): Promise<boolean> {
    return deleteHistory(sessionId, this.#deletion);
  }

  get #deletion(): DeletionParts {
    const { workspaces, events } = this;
    return { workspaces, events, sessions: this.#sessions, tasks: this.#tasks, fault: this.#parts.fault };
  }

  /** What a session does at this moment, where this server knows it better than the records. */
  async stateOf({ session_id: sessionId, status }: Pick<SessionFields, "session_id" | "status">): Promise<string> {
    return (await this.#sessions.known(sessionId))?.state ?? status;
  }

  /** What agents made is in the workspaces, or could not be taken. */
  artifactsKept(): Promise<void> {
    return this.#artifacts.settled();
  }

  /** All that waits to be written is written, or has failed. */
  async close(): Promise<void> {
    this.#stopKeeping();
    await Promise.all([this.approvals.saved(), this.#artifacts.settled()]);
    await this.#sessions.written();
    await this.events.close();
    this.#spool?.close();
  }
}
