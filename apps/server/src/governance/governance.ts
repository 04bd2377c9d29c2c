import { randomUUID } from "node:crypto";
import { EventType } from "@ag-ui/core";
import {
  type Admission,
  type ApprovalClock,
  admitBundle,
  hasSessionEnded,
  type PolicyBundle,
  sessionChain,
} from "@cm/governance";
import type { Run } from "@cm/lineage";
import { defined, isCmError, type ObjectStore } from "@cm/object-model";
import {
  continuedThread,
  crashReport,
  type HistoryMessage,
  type IncompleteTask,
  type NewArtifact,
  openWorkspaces,
  type SessionFields,
  type ThreadMessage,
  type Workspaces,
} from "@cm/workspace";
import { serverError } from "../errors.ts";
import { limits } from "../limits.ts";
import { deferredOf } from "../runs/execute-run.ts";
import type { LiveRun } from "../runs/live-run.ts";
import type { RunPlan } from "../runs/run-plan.ts";
import type { RecoveredTask } from "../runs/run-requests.ts";
import { Approvals } from "./approvals.ts";
import { EventLog } from "./event-log.ts";
import { type GovernanceOptions, type TaskSetting, taskDefaults } from "./governance-options.ts";
import { GovernedRun } from "./governed-run.ts";
import { GovernedSession } from "./governed-session.ts";
import { networkCut } from "./network-cut.ts";

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

export interface BegunRun {
  readonly run: Run;
  readonly plan: RunPlan;
  readonly live: LiveRun;
  readonly asked: AskedTask;
}

export interface GovernanceParts extends GovernanceOptions {
  /** The server's: where tool calls are. */
  readonly content: ObjectStore;
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
  readonly #sessions = new Map<string, GovernedSession>();
  /** Sessions that are being opened, so that two runs do not open one twice. */
  readonly #opening = new Map<string, Promise<GovernedSession>>();
  #artifacts: Promise<void> = Promise.resolve();
  readonly #runs = new Map<string, GovernedRun>();

  constructor(parts: GovernanceParts) {
    this.#parts = parts;
    const { records = parts.content, content, clock = realClock, newId = randomUUID, fault, telemetry } = parts;
    this.#clock = clock;
    this.workspaces = openWorkspaces({ records, content, newId, now: () => clock.now() });
    const { audit } = this.workspaces;
    this.events = new EventLog({ audit, telemetry, fault, now: () => clock.now() });
    this.approvals = new Approvals({ clock, newId, audit, fault, events: this.events });
  }

  /** @throws CmError `server/session-paused`, `server/session-ended` */
  checkStart(sessionId: string): void {
    this.#sessions.get(sessionId)?.checkTakesTask(this.#clock.now());
  }

  /** Opens the run's session, and begins it as a task of it. @throws CmError `server/policy`, `server/session-...` */
  async begin({ run, plan, live, asked }: BegunRun): Promise<GovernedRun> {
    const { session_id: runId, conversation_id: sessionId } = run;
    const taskId = asked.recovers?.taskId ?? runId;
    const spawner = asked.spawnedBy === undefined ? undefined : this.#runs.get(asked.spawnedBy);
    const asking = spawner?.setting ?? { ...taskDefaults, ...this.#parts.taskDefaults, ...asked.task };
    const prompt = asked.recovers?.prompt ?? plan.input.map(({ text }) => text).join("\n\n");
    const session = await this.#opened(sessionId, plan, asked);
    session.checkTakesTask(this.#clock.now());
    await session.written();
    const { task, isContinued } = await this.workspaces.startTask(sessionId, { taskId, prompt, ...asking });
    const setting = { maxSteps: task.max_steps, allowNetwork: task.allow_network, approvalMode: task.approval_mode };
    const { model } = plan.preset;
    for (const name of [model.id, ...plan.preset.tools.map((tool) => (typeof tool === "string" ? tool : tool.name))])
      this.events.names.add(name);
    const governed = new GovernedRun({
      ...{ taskId, session, setting, prompt, taken: task.steps, signal: live.signal, fault: this.#parts.fault },
      ...{ events: this.events, approvals: this.approvals, workspaces: this.workspaces },
      now: () => this.#clock.now(),
      networkCut: this.#parts.networkCut ?? (() => networkCut()),
      tell: (name, value) => live.push([{ type: EventType.CUSTOM, name, value }]),
      cwd: plan.folders[0] ?? "/",
      deferred: new Set(deferredOf(plan.preset).map(({ name }) => name)),
      ...{ content: this.#parts.content, isContinued },
      keep: (made) => this.#keepArtifacts(made, session),
      ended: () => this.#runs.delete(taskId),
    });
    this.#runs.set(taskId, governed);
    return governed;
  }

  /** Asks for another bundle, and goes on under it. @throws CmError `server/policy`, `server/session-ended`, `server/not-found` */
  async resume(sessionId: string): Promise<SessionFields> {
    const fields = await this.workspaces.readSession(sessionId);
    const known = this.#sessions.get(sessionId);
    await known?.written();
    if (hasSessionEnded(known?.state ?? fields.status)) throw endedAlready(sessionId);
    const owner = { tenantId: fields.tenant_id, userId: fields.user_id };
    const bundle = await this.#bundleFor({
      sessionId,
      workspaceId: fields.workspace_id,
      owner,
      preset: known?.preset ?? "",
    });
    const renewed = await this.#renew(sessionId, bundle);
    const chain = sessionChain({ sessionId, workspaceId: fields.workspace_id });
    this.#issued({ chain, owner }, bundle);
    const payload = { outcome: "resumed" as const, policyBundleVersion: bundle.policyBundleVersion };
    this.events.say("session_resumed", { chain, ...owner, component: "SessionService", payload });
    known?.resume(bundle);
    if (known !== undefined) return renewed;
    const session = this.#sessionOf(renewed, { preset: "", bundle });
    session.thread = (await this.workspaces.readHistory(sessionId))?.messages.map(threadMessage);
    this.#keep(session);
    return renewed;
  }

  /**
   * Makes a task ready to go on that a crash interrupted: its session is resumed, which asks for its policy first.
   * @returns what the run that goes on with it must know
   * @throws CmError `server/not-found`, as `resume`
   */
  async recover(sessionId: string, taskId: string): Promise<IncompleteTask> {
    const task = (await this.incompleteTasks(sessionId)).find((each) => each.taskId === taskId);
    if (task === undefined) throw serverError("server/not-found", "No such task of this session was interrupted.");
    const { workspace_id: workspaceId, tenant_id: tenantId, user_id: userId } = await this.resume(sessionId);
    const chain = sessionChain({ workspaceId, sessionId });
    const payload = { incompleteTask: taskId, prompt: task.prompt, lastStep: task.lastStep, maxSteps: task.maxSteps };
    this.events.say("session_recovered", { chain, tenantId, userId, payload });
    return task;
  }

  /** Ends a session: what runs in it is cancelled. @throws CmError `server/session-ended`, `workspace/not-found` */
  async end(sessionId: string, state: "SESSION_COMPLETED" | "SESSION_CANCELLED"): Promise<void> {
    const fields = await this.workspaces.readSession(sessionId);
    const known = this.#sessions.get(sessionId);
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

  /** Tasks that never ended, and that nobody runs here: what a crash left. */
  async incompleteTasks(sessionId: string): Promise<readonly IncompleteTask[]> {
    const running = await this.workspaces.runningTasks(sessionId);
    return crashReport(running).filter(({ taskId }) => !this.#runs.has(taskId));
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
    if ([...this.#runs.values()].some((run) => sessions.includes(run.sessionId)))
      throw serverError("server/session-busy", "A task runs in the workspace; cancel it first.", { id: workspaceId });
    const { deleted } = await this.workspaces.deleteWorkspace(workspaceId);
    for (const sessionId of sessions) {
      this.#sessions.delete(sessionId);
      const chain = sessionChain({ workspaceId, sessionId });
      const facts = { chain, tenantId, userId, component: "WorkspaceService" as const };
      this.events.say("workspace_deleted", { ...facts, payload: { sessions: sessions.length } });
    }
    await this.events.flush();
    return { sessions: sessions.length, records: deleted };
  }

  /** What a session does at this moment, where this server knows it better than the records. */
  stateOf({ session_id: sessionId, status }: Pick<SessionFields, "session_id" | "status">): string {
    return this.#sessions.get(sessionId)?.state ?? status;
  }

  /** What agents made is in the workspaces, or could not be taken. */
  artifactsKept(): Promise<void> {
    return this.#artifacts;
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
    await Promise.all([this.approvals.saved(), this.#artifacts]);
    await Promise.all([...this.#sessions.values()].map((session) => session.written()));
    await this.events.flush();
  }

  async #opened(sessionId: string, plan: RunPlan, asked: AskedTask): Promise<GovernedSession> {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const opening = this.#opening.get(sessionId) ?? this.#open(sessionId, plan, asked);
    this.#opening.set(sessionId, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(sessionId);
    }
  }

  async #open(sessionId: string, plan: RunPlan, asked: AskedTask): Promise<GovernedSession> {
    const fields = await this.#recorded(sessionId);
    const session = fields === undefined ? await this.#start(sessionId, plan, asked) : await this.#reopen(fields, plan);
    return this.#keep(session);
  }

  async #recorded(sessionId: string): Promise<SessionFields | undefined> {
    try {
      return await this.workspaces.readSession(sessionId);
    } catch (error) {
      if (isCmError(error, "workspace/not-found")) return undefined;
      throw error;
    }
  }

  /** A session whose server is another one now: its policy is asked for first. A paused one stays so until a resume. */
  async #reopen(fields: SessionFields, { presetName: preset }: RunPlan): Promise<GovernedSession> {
    const { session_id: sessionId, workspace_id: workspaceId } = fields;
    if (hasSessionEnded(fields.status)) throw endedAlready(sessionId);
    if (fields.status === "SESSION_PAUSED")
      throw serverError("server/session-paused", `The session ${sessionId} is paused; resume it.`, { id: sessionId });
    const owner = { tenantId: fields.tenant_id, userId: fields.user_id };
    const bundle = await this.#bundleFor({ sessionId, workspaceId, owner, preset });
    const renewed = await this.#renew(sessionId, bundle);
    this.#issued({ chain: sessionChain({ sessionId, workspaceId }), owner }, bundle);
    const session = this.#sessionOf(renewed, { preset, bundle });
    session.thread = (await this.workspaces.readHistory(sessionId))?.messages.map(threadMessage);
    return session;
  }

  async #renew(sessionId: string, bundle: PolicyBundle): Promise<SessionFields> {
    const { policyBundleVersion } = bundle;
    const resumed = await this.workspaces.resumeSession(sessionId, {
      expiresAt: resumableUntil(bundle),
      policyBundleVersion,
    });
    if (resumed.outcome === "resumed") return resumed.session;
    if (resumed.reason === "ended") throw endedAlready(sessionId);
    if (resumed.reason === "expired") this.#sessions.get(sessionId)?.end("SESSION_FAILED");
    throw serverError(
      "server/session-ended",
      `The session ${sessionId} cannot be resumed any more (${resumed.reason}).`,
      { id: sessionId },
    );
  }

  async #start(
    sessionId: string,
    { folders: [path], presetName: preset }: RunPlan,
    { user: userId = "local", continues }: AskedTask,
  ): Promise<GovernedSession> {
    const owner = { tenantId: this.#parts.tenantId ?? "local", userId };
    const before = continues === undefined ? undefined : await this.workspaces.readSession(continues);
    const scope = path === undefined ? ("general" as const) : ("local" as const);
    const request = {
      ...owner,
      scope,
      sessionId,
      executionEnvironment: "desktop" as const,
      ...defined({ path, workspaceId: before?.workspace_id, continuedFrom: before?.session_id }),
    };
    const admission = await this.#asked({ sessionId, owner, preset });
    if (admission.outcome === "refused") return this.#refused(request, admission);
    const { bundle } = admission;
    const { policyBundleVersion } = bundle;
    const { workspace, isNewWorkspace } = await this.workspaces.startSession({
      ...request,
      policyBundleVersion,
      expiresAt: resumableUntil(bundle),
    });
    const chain = sessionChain({ sessionId, workspaceId: workspace.workspace_id });
    const facts = { chain, ...owner };
    if (isNewWorkspace)
      this.events.say("workspace_created", {
        ...facts,
        component: "WorkspaceService",
        payload: { workspaceScope: scope },
      });
    const created = {
      executionEnvironment: "desktop" as const,
      workspaceScope: scope,
      isContinued: before !== undefined,
      isCompatible: true,
    };
    this.events.say("session_created", { ...facts, component: "SessionService", payload: created });
    this.#issued({ chain, owner }, bundle);
    const fields = await this.workspaces.setSessionState(sessionId, "SESSION_RUNNING");
    this.events.say("session_state_changed", { ...facts, payload: { from: "SESSION_CREATED", to: "SESSION_RUNNING" } });
    this.events.say("session_started", facts);
    const session = this.#sessionOf(fields, { preset, bundle });
    if (before !== undefined) session.thread = continuedThread(await this.workspaces.readHistory(before.session_id));
    return session;
  }

  /** A session without a bundle fails, and stays in the records with the reason. */
  async #refused(
    request: Omit<Parameters<Workspaces["startSession"]>[0], "expiresAt"> & { readonly sessionId: string },
    { reason, message }: Extract<Admission, { readonly outcome: "refused" }>,
  ): Promise<never> {
    const { sessionId, tenantId, userId, scope } = request;
    const { workspace } = await this.workspaces.startSession({ ...request, expiresAt: this.#clock.now() });
    await this.workspaces.setSessionState(sessionId, "SESSION_FAILED");
    const facts = { chain: sessionChain({ sessionId, workspaceId: workspace.workspace_id }), tenantId, userId };
    this.events.say("session_created", {
      ...facts,
      component: "SessionService",
      payload: { workspaceScope: scope, isCompatible: true },
    });
    this.events.say("policy_bundle_refused", {
      ...facts,
      severity: "error",
      component: "PolicyService",
      payload: { reason },
    });
    this.events.say("session_failed", {
      ...facts,
      severity: "error",
      payload: { errorCode: "policy_bundle_refused", error: message },
    });
    await this.events.flush();
    throw serverError("server/policy", message, { id: sessionId, reason });
  }

  async #asked({
    sessionId,
    owner,
    preset,
  }: {
    readonly sessionId: string;
    readonly owner: Owner;
    readonly preset: string;
  }): Promise<Admission> {
    let value: unknown;
    try {
      value = await this.#parts.policy.bundleFor({ sessionId, ...owner, preset });
    } catch (error) {
      this.#parts.fault("The policy could not be asked for.", error);
    }
    return admitBundle(value, { sessionId, now: this.#clock.now() });
  }

  async #bundleFor(asked: {
    readonly sessionId: string;
    readonly workspaceId: string;
    readonly owner: Owner;
    readonly preset: string;
  }): Promise<PolicyBundle> {
    const admission = await this.#asked(asked);
    if (admission.outcome === "admitted") return admission.bundle;
    const { reason, message } = admission;
    const facts = { chain: sessionChain(asked), ...asked.owner };
    this.events.say("policy_bundle_refused", {
      ...facts,
      severity: "error",
      component: "PolicyService",
      payload: { reason },
    });
    throw serverError("server/policy", message, { id: asked.sessionId, reason });
  }

  #issued(
    { chain, owner }: { readonly chain: ReturnType<typeof sessionChain>; readonly owner: Owner },
    bundle: PolicyBundle,
  ): void {
    const { policyBundleVersion, expiresAt, capabilities } = bundle;
    for (const name of [policyBundleVersion, expiresAt, ...capabilities.map((each) => each.name)])
      this.events.names.add(name);
    for (const { approvalRuleId } of bundle.approvalRules ?? []) this.events.names.add(approvalRuleId);
    const payload = { policyBundleVersion, expiresAt, capabilities: capabilities.length };
    this.events.say("policy_bundle_issued", { chain, ...owner, component: "PolicyService", payload });
  }

  #sessionOf(
    fields: SessionFields,
    { preset, bundle }: { readonly preset: string; readonly bundle: PolicyBundle },
  ): GovernedSession {
    const { workspaces, events } = this;
    return new GovernedSession({
      ...{ workspaceId: fields.workspace_id, sessionId: fields.session_id, preset, bundle, workspaces, events },
      owner: { tenantId: fields.tenant_id, userId: fields.user_id },
      state: fields.status,
      tokensUsed: fields.tokens_used,
      fault: this.#parts.fault,
    });
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

interface Owner {
  readonly tenantId: string;
  readonly userId: string;
}

/** A session outlives its policy for a while: paused, it may be resumed. */
const resumableUntil = ({ expiresAt }: PolicyBundle): number => Date.parse(expiresAt) + limits.sessionResumeMs;

const endedAlready = (id: string) =>
  serverError("server/session-ended", `The session ${id} has ended; continue it as another one.`, { id });

/** A message of a history as the next history takes it. */
const threadMessage = ({
  messageId,
  role,
  content,
  taskId,
  stepId,
  tokenCount,
  timestamp,
}: HistoryMessage): ThreadMessage => ({
  ...{ messageId, role, taskId, stepId, tokenCount, at: Date.parse(timestamp) },
  ...(content === null ? {} : { content }),
});
