import { randomUUID } from "node:crypto";
import { EventType } from "@ag-ui/core";
import { type ApprovalClock, parseEvent, sessionChain } from "@cm/governance";
import type { Lineage, Run } from "@cm/lineage";
import { defined, isCmError, type JsonObject, type ObjectStore } from "@cm/object-model";
import {
  crashReport,
  type IncompleteTask,
  type NewArtifact,
  openWorkspaces,
  type SessionFields,
  type Workspaces,
} from "@cm/workspace";
import { serverError } from "../errors.ts";
import { limits } from "../limits.ts";
import { deferredOf } from "../tools/deferred-tools.ts";
import { Approvals } from "./approvals.ts";
import type { AskedTask } from "./asked-task.ts";
import { AuditSpool, recoverSpools } from "./audit-spool.ts";
import { EventLog } from "./event-log.ts";
import { type GovernanceOptions, taskDefaults } from "./governance-options.ts";
import type { GovernedSession } from "./governed-session.ts";
import { networkCut } from "./network-cut.ts";
import type { PlannedRun, ToldRun } from "./planned-run.ts";
import { keepFor } from "./retention.ts";
import type { RunningTask, RunParts } from "./run-parts.ts";
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
  readonly lineage: Pick<Lineage, "elsewhere">;
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
  readonly #opener: SessionOpening;
  readonly #sessions = new Map<string, GovernedSession>();
  /** Sessions that are being opened, so that two runs do not open one twice. */
  readonly #opening = new Map<string, Promise<GovernedSession>>();
  #artifacts: Promise<void> = Promise.resolve();
  readonly #runs = new Map<string, RunningTask>();

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
    this.#opener = new SessionOpening({ ...opening, now: () => clock.now() });
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
        if ("event" in entry) audit.emit(parseEvent(entry.event));
        else await audit.saveApproval(entry.approval);
      }
      return audit.flush();
    });
  }

  /** @throws CmError `server/session-paused`, `server/session-ended`, also where another server ended or paused it */
  async checkStart(sessionId: string): Promise<void> {
    const known = await this.#known(sessionId);
    if (known !== undefined) return known.checkTakesTask(this.#clock.now());
    const fields = await this.#recorded(sessionId);
    if (fields !== undefined) checkGoesOn(fields);
  }

  /** Opens the run's session, and begins it as a task of it. @throws CmError `server/policy`, `server/session-...` */
  async begin(begun: BegunRun): Promise<RunParts> {
    // A task that goes on after a crash goes on under another policy, also where its session is paused.
    if (begun.asked.recovers !== undefined) await this.resume(begun.run.conversation_id);
    const session = await this.#opened(begun.run.conversation_id, begun.plan, begun.asked);
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
    const spawner = asked.spawnedBy === undefined ? undefined : this.#runs.get(asked.spawnedBy);
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
      keep: (made) => this.#keepArtifacts(made, session),
      began: (task) => this.#runs.set(taskId, task),
      ended: () => {
        session.tasks -= 1;
        this.#runs.delete(taskId);
      },
    };
  }

  /** Asks for another bundle, and goes on under it. @throws CmError `server/policy`, `server/session-ended`, `server/not-found` */
  async resume(sessionId: string): Promise<SessionFields> {
    const known = await this.#known(sessionId);
    const fields = await this.workspaces.readSession(sessionId);
    this.#keep(await this.#opener.resume(fields, known));
    return this.workspaces.readSession(sessionId);
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
    const known = await this.#known(sessionId);
    const running = [...this.#runs.values()].filter((run) => run.sessionId === sessionId);
    for (const run of running) run.cancel();
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

  /** @throws CmError `server/not-found` where no such task runs here */
  cancelTask({ session_id, task_id }: { readonly session_id: string; readonly task_id: string }): void {
    const run = this.#runs.get(task_id);
    if (run?.sessionId !== session_id) throw serverError("server/not-found", "No such task of this session runs here.");
    run.cancel();
  }

  /** Tasks that never ended and run on no server: what a crash left. */
  async incompleteTasks(sessionId: string): Promise<readonly IncompleteTask[]> {
    const running = await this.workspaces.runningTasks(sessionId);
    const left = crashReport(running).filter(({ taskId }) => !this.#runs.has(taskId));
    // Which of its tasks another server's run is of stands in no record of the run.
    return left.length > 0 && (await this.#sessionsElsewhere(sessionId)).size > 0 ? [] : left;
  }

  /**
   * Deletes a workspace with its sessions, histories and artifacts. Files of projects, snapshots of runs and the audit stay.
   * @throws CmError `workspace/not-found`, `workspace/conflict` while a task runs in it
   */
  async deleteWorkspace(workspaceId: string): Promise<{ readonly sessions: number; readonly records: number }> {
    const { tenant_id: tenantId, user_id: userId } = await this.workspaces.readWorkspace(workspaceId);
    const sessions: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.workspaces.listSessions(workspaceId, {
        limit: limits.pageRowsMax,
        ...defined({ cursor }),
      });
      sessions.push(...page.sessions.map(({ sessionId }) => sessionId));
      cursor = page.next;
    } while (cursor !== undefined);
    const elsewhere = await this.#sessionsElsewhere();
    if (sessions.some((session) => this.#runsIn(session) || elsewhere.has(session)))
      throw serverError("server/session-busy", "A task runs in the workspace; cancel it first.", { id: workspaceId });
    const { deleted, failedBatches } = await this.workspaces.deleteWorkspace(workspaceId);
    if (failedBatches > 0)
      this.#parts.fault(
        `Of the workspace ${workspaceId} not all records could be emptied; no query finds them, and a purge takes them.`,
        new Error(`${failedBatches} batches failed.`),
      );
    for (const sessionId of sessions) {
      this.#sessions.delete(sessionId);
      const chain = sessionChain({ workspaceId, sessionId });
      const facts = { chain, tenantId, userId, component: "WorkspaceService" as const };
      this.events.say("workspace_deleted", { ...facts, payload: { sessions: sessions.length } });
    }
    await this.events.flush();
    return { sessions: sessions.length, records: deleted };
  }

  /** Deletes what was said in a session. Whether there was anything; the audit says who it was taken from. */
  async deleteHistory(sessionId: string): Promise<boolean> {
    const fields = await this.workspaces.readSession(sessionId);
    if (this.#runsIn(sessionId) || (await this.#sessionsElsewhere(sessionId)).size > 0)
      throw serverError("server/session-busy", "A task runs in the session; cancel it first.", { id: sessionId });
    const wasThere = await this.workspaces.deleteHistory(sessionId);
    const chain = sessionChain({ sessionId, workspaceId: fields.workspace_id });
    const facts = { chain, tenantId: fields.tenant_id, userId: fields.user_id, component: "WorkspaceService" as const };
    if (wasThere) this.events.say("history_deleted", facts);
    return wasThere;
  }

  /** What a session does at this moment, where this server knows it better than the records. */
  async stateOf({ session_id: sessionId, status }: Pick<SessionFields, "session_id" | "status">): Promise<string> {
    return (await this.#known(sessionId))?.state ?? status;
  }

  /** What agents made is in the workspaces, or could not be taken. */
  artifactsKept(): Promise<void> {
    return this.#artifacts;
  }

  #runsIn(sessionId: string): boolean {
    return [...this.#runs.values()].some((run) => run.sessionId === sessionId);
  }

  /** Those in which other servers of the store execute runs now. */
  async #sessionsElsewhere(conversationId?: string): Promise<ReadonlySet<string>> {
    const sessions = new Set<string>();
    for await (const { run } of this.#parts.lineage.elsewhere(defined({ conversationId })))
      sessions.add(run.conversation_id);
    return sessions;
  }

  #keepArtifacts(made: readonly NewArtifact[], { owner }: GovernedSession): void {
    this.#artifacts = this.#artifacts.then(async () => {
      for (const artifact of made) {
        try {
          const { artifact_id, artifact_type, name, body } = await this.workspaces.addArtifact(artifact);
          const size = body === null ? {} : { bytes: Buffer.byteLength(body) };
          const payload = { artifactId: artifact_id, artifactType: artifact_type, artifactName: name, ...size };
          this.events.say("artifact_created", {
            chain: artifact.chain,
            ...owner,
            component: "WorkspaceService",
            payload,
          });
        } catch (error) {
          this.#parts.fault("An artifact could not be kept.", error);
        }
      }
    });
  }

  /** All that waits to be written is written, or has failed. */
  async close(): Promise<void> {
    this.#stopKeeping();
    await Promise.all([this.approvals.saved(), this.#artifacts]);
    await Promise.all([...this.#sessions.values()].map((session) => session.written()));
    await this.events.close();
    this.#spool?.close();
  }

  async #opened(sessionId: string, plan: PlannedRun, asked: AskedTask): Promise<GovernedSession> {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined && known.tasks > 0) return known;
    const opening = this.#opening.get(sessionId) ?? this.#open(sessionId, plan, asked);
    this.#opening.set(sessionId, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(sessionId);
    }
  }

  async #open(sessionId: string, plan: PlannedRun, asked: AskedTask): Promise<GovernedSession> {
    const known = await this.#known(sessionId);
    if (known !== undefined) return known.tasks > 0 ? known : this.#opener.withThread(known);
    const fields = await this.#recorded(sessionId);
    const session =
      fields === undefined ? await this.#opener.start(sessionId, plan, asked) : await this.#opener.reopen(fields, plan);
    return this.#keep(session);
  }

  /**
   * A session that this server governs. Between its tasks another one may have it: it is what the records say then, and
   * under another policy it is not known here any more.
   */
  async #known(sessionId: string): Promise<GovernedSession | undefined> {
    const known = this.#sessions.get(sessionId);
    if (known === undefined || known.tasks > 0) return known;
    await known.written();
    const fields = await this.#recorded(sessionId);
    // A task may have begun meanwhile.
    if (known.tasks > 0 || (fields !== undefined && known.follow(fields))) return known;
    if (this.#sessions.get(sessionId) === known) this.#sessions.delete(sessionId);
    return undefined;
  }

  async #recorded(sessionId: string): Promise<SessionFields | undefined> {
    try {
      return await this.workspaces.readSession(sessionId);
    } catch (error) {
      if (isCmError(error, "workspace/not-found")) return undefined;
      throw error;
    }
  }

  #keep(session: GovernedSession): GovernedSession {
    this.#sessions.set(session.chain.sessionId, session);
    for (const [id, { tasks }] of this.#sessions) {
      if (this.#sessions.size <= limits.governedSessionsMax) break;
      if (tasks === 0 && id !== session.chain.sessionId) this.#sessions.delete(id);
    }
    return session;
  }
}
