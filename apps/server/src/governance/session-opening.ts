import {
  type Admission,
  admitBundle,
  type FeatureFlags,
  hasSessionEnded,
  type PolicyBundle,
  parseFlags,
  sessionChain,
} from "@cm/governance";
import { defined } from "@cm/object-model";
import {
  continuedThread,
  type HistoryMessage,
  type SessionFields,
  type ThreadMessage,
  type Workspaces,
} from "@cm/workspace";
import { serverError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { AskedTask } from "./asked-task.ts";
import type { EventLog } from "./event-log.ts";
import type { PolicySource } from "./governance-options.ts";
import { GovernedSession } from "./governed-session.ts";
import type { PlannedRun } from "./planned-run.ts";

export interface OpeningParts {
  readonly policy: PolicySource;
  readonly tenantId?: string | undefined;
  readonly workspaces: Workspaces;
  readonly events: EventLog;
  readonly now: () => number;
  readonly fault: (what: string, error: unknown) => void;
}

interface Under {
  readonly preset: string;
  readonly bundle: PolicyBundle;
  readonly flags: FeatureFlags;
}

/** How a session comes under a policy: when it begins, when another server finds it, when it is resumed. */
export class SessionOpening {
  readonly #parts: OpeningParts;

  constructor(parts: OpeningParts) {
    this.#parts = parts;
  }

  /** A session whose server is another one now: its policy is asked for first. A paused one stays so until a resume. */
  async reopen(fields: SessionFields, { presetName: preset }: PlannedRun): Promise<GovernedSession> {
    const { session_id: sessionId, workspace_id: workspaceId } = fields;
    checkGoesOn(fields);
    const owner = { tenantId: fields.tenant_id, userId: fields.user_id };
    const bundle = await this.#bundleFor({ sessionId, workspaceId, owner, preset });
    const flags = await this.#flagsOf({ sessionId, owner, preset });
    const renewed = await this.#renew(sessionId, { bundle, flags });
    this.#issued({ chain: sessionChain({ sessionId, workspaceId }), owner }, bundle);
    return this.withThread(this.#sessionOf(renewed, { preset, bundle, flags }));
  }

  /** Another bundle for a session, which goes on under it. @throws CmError `server/policy`, `server/session-ended` */
  async resume(fields: SessionFields, known: GovernedSession | undefined): Promise<GovernedSession> {
    const { session_id: sessionId, workspace_id: workspaceId } = fields;
    checkHasNotEnded({ session_id: sessionId, status: known?.state ?? fields.status });
    const owner = { tenantId: fields.tenant_id, userId: fields.user_id };
    const preset = known?.preset ?? "";
    const bundle = await this.#bundleFor({ sessionId, workspaceId, owner, preset });
    const flags = await this.#flagsOf({ sessionId, owner, preset });
    const renewed = await this.#renew(sessionId, { bundle, flags }, known);
    const chain = sessionChain({ sessionId, workspaceId });
    this.#issued({ chain, owner }, bundle);
    const payload = { outcome: "resumed" as const, policyBundleVersion: bundle.policyBundleVersion };
    this.#parts.events.say("session_resumed", { chain, ...owner, component: "SessionService", payload });
    known?.resume(bundle, flags);
    return known ?? this.withThread(this.#sessionOf(renewed, { preset, bundle, flags }));
  }

  async #renew(
    sessionId: string,
    { bundle, flags: featureFlags }: Pick<Under, "bundle" | "flags">,
    known?: GovernedSession,
  ): Promise<SessionFields> {
    const { policyBundleVersion } = bundle;
    const renewal = { ...timesOf(bundle), policyBundleVersion, featureFlags };
    const resumed = await this.#parts.workspaces.resumeSession(sessionId, renewal);
    if (resumed.outcome === "resumed") return resumed.session;
    if (resumed.reason === "expired") known?.end("SESSION_FAILED");
    if (resumed.reason === "ended") throw endedAlready(sessionId);
    throw serverError(
      "server/session-ended",
      `The session ${sessionId} cannot be resumed any more (${resumed.reason}).`,
      { id: sessionId },
    );
  }

  async start(
    sessionId: string,
    { folders: [path], presetName: preset }: PlannedRun,
    { user: userId = "local", continues }: AskedTask,
  ): Promise<GovernedSession> {
    const owner = { tenantId: this.#parts.tenantId ?? "local", userId };
    const before = continues === undefined ? undefined : await this.#parts.workspaces.readSession(continues);
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
    const flags = await this.#flagsOf({ sessionId, owner, preset });
    const { workspace, isNewWorkspace } = await this.#parts.workspaces.startSession({
      ...{ ...request, ...timesOf(bundle), policyBundleVersion, featureFlags: flags },
    });
    const chain = sessionChain({ sessionId, workspaceId: workspace.workspace_id });
    const facts = { chain, ...owner };
    if (isNewWorkspace)
      this.#parts.events.say("workspace_created", {
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
    this.#parts.events.say("session_created", { ...facts, component: "SessionService", payload: created });
    this.#issued({ chain, owner }, bundle);
    const fields = await this.#parts.workspaces.setSessionState(sessionId, "SESSION_RUNNING");
    this.#parts.events.say("session_state_changed", {
      ...facts,
      payload: { from: "SESSION_CREATED", to: "SESSION_RUNNING" },
    });
    this.#parts.events.say("session_started", facts);
    const session = this.#sessionOf(fields, { preset, bundle, flags });
    if (before !== undefined)
      session.thread = continuedThread(await this.#parts.workspaces.readHistory(before.session_id));
    return session;
  }

  /** A session without a bundle fails, and stays in the records with the reason. */
  async #refused(
    request: Omit<Parameters<Workspaces["startSession"]>[0], "expiresAt"> & { readonly sessionId: string },
    { reason, message }: Extract<Admission, { readonly outcome: "refused" }>,
  ): Promise<never> {
    const { sessionId, tenantId, userId, scope } = request;
    const { workspace } = await this.#parts.workspaces.startSession({ ...request, expiresAt: this.#parts.now() });
    await this.#parts.workspaces.setSessionState(sessionId, "SESSION_FAILED");
    const facts = { chain: sessionChain({ sessionId, workspaceId: workspace.workspace_id }), tenantId, userId };
    this.#parts.events.say("session_created", {
      ...facts,
      component: "SessionService",
      payload: { workspaceScope: scope, isCompatible: true },
    });
    this.#parts.events.say("policy_bundle_refused", {
      ...facts,
      severity: "error",
      component: "PolicyService",
      payload: { reason },
    });
    this.#parts.events.say("session_failed", {
      ...facts,
      severity: "error",
      payload: { errorCode: "policy_bundle_refused", error: message },
    });
    await this.#parts.events.flush();
    throw serverError("server/policy", message, { id: sessionId, reason });
  }

  /** A flag that cannot be found out is off. */
  async #flagsOf({ sessionId, owner, preset }: Asked): Promise<FeatureFlags> {
    const { policy, fault } = this.#parts;
    try {
      return parseFlags((await policy.flagsFor?.({ sessionId, ...owner, preset })) ?? {});
    } catch (error) {
      fault("The feature flags could not be asked for.", error);
      return {};
    }
  }

  async #asked({ sessionId, owner, preset }: Asked): Promise<Admission> {
    let value: unknown;
    try {
      value = await this.#parts.policy.bundleFor({ sessionId, ...owner, preset });
    } catch (error) {
      this.#parts.fault("The policy could not be asked for.", error);
    }
    return admitBundle(value, { sessionId, now: this.#parts.now() });
  }

  async #bundleFor(asked: Asked & { readonly workspaceId: string }): Promise<PolicyBundle> {
    const admission = await this.#asked(asked);
    if (admission.outcome === "admitted") return admission.bundle;
    const { reason, message } = admission;
    const facts = { chain: sessionChain(asked), ...asked.owner };
    this.#parts.events.say("policy_bundle_refused", {
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
      this.#parts.events.names.add(name);
    for (const { approvalRuleId } of bundle.approvalRules ?? []) this.#parts.events.names.add(approvalRuleId);
    const payload = { policyBundleVersion, expiresAt, capabilities: capabilities.length };
    this.#parts.events.say("policy_bundle_issued", { chain, ...owner, component: "PolicyService", payload });
  }

  /** The session with what was said in it, on any server. */
  async withThread(session: GovernedSession): Promise<GovernedSession> {
    const { workspaces } = this.#parts;
    const { sessionId } = session.chain;
    if ((await workspaces.snapshotAfterTask(sessionId)) === session.savedAfter) return session;
    const history = await workspaces.readHistory(sessionId);
    session.thread = history?.messages.map(threadMessage);
    session.savedAfter = history?.snapshotAfterTaskId ?? undefined;
    return session;
  }

  #sessionOf(fields: SessionFields, { preset, bundle, flags }: Under): GovernedSession {
    const { workspaces, events } = this.#parts;
    return new GovernedSession({
      ...{ workspaceId: fields.workspace_id, sessionId: fields.session_id, preset, bundle, workspaces, events },
      flags,
      owner: { tenantId: fields.tenant_id, userId: fields.user_id },
      state: fields.status,
      tokensUsed: fields.tokens_used,
      fault: this.#parts.fault,
    });
  }
}

interface Asked {
  readonly sessionId: string;
  readonly owner: Owner;
  readonly preset: string;
}

interface Owner {
  readonly tenantId: string;
  readonly userId: string;
}

/** A session outlives its policy for a while: paused, it may be resumed. */
function timesOf(bundle: PolicyBundle): { readonly expiresAt: number; readonly resumableUntil: number } {
  const expiresAt = Date.parse(bundle.expiresAt);
  return { expiresAt, resumableUntil: expiresAt + limits.sessionResumeMs };
}

/** What the records say of a session in which a task is to begin. @throws CmError `server/session-ended`, `server/session-paused` */
export function checkGoesOn({ session_id: id, status }: Pick<SessionFields, "session_id" | "status">): void {
  checkHasNotEnded({ session_id: id, status });
  if (status === "SESSION_PAUSED")
    throw serverError("server/session-paused", `The session ${id} is paused; resume it.`, { id });
}

/** @throws CmError `server/session-ended` */
export function checkHasNotEnded({ session_id: id, status }: Pick<SessionFields, "session_id" | "status">): void {
  if (hasSessionEnded(status)) throw endedAlready(id);
}

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
