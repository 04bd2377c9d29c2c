import { denialReasons } from "../check/verdict.ts";
import { sessionStates } from "../states/session-state.ts";
import { choice, count, type EventField, flag, name, text, type ValueOf } from "./fields.ts";

export const components = [
  "LocalAgentHost",
  "LocalToolRuntime",
  "SessionService",
  "PolicyService",
  "ApprovalService",
  "WorkspaceService",
  "Client",
] as const;
export type Component = (typeof components)[number];

export const boundedContexts = [
  "SessionLifecycle",
  "AgentExecution",
  "PolicyGuardrails",
  "Approval",
  "WorkspaceArtifacts",
] as const;
export type BoundedContext = (typeof boundedContexts)[number];

interface EventKind {
  readonly context: BoundedContext;
  /** `inside`: it happens in a step of a task. */
  readonly place: "outside" | "inside" | "either";
  /** All optional: what is not known is not said. */
  readonly fields: Readonly<Record<string, EventField>>;
}

const risk = choice("low", "medium", "high");
const states = choice(...sessionStates);
const use = { model: name, inputTokens: count, outputTokens: count, latencyMs: count };
const tool = { callId: text, toolName: name, capability: name, risk };
const approval = { approvalId: name, ...tool, approvalRuleId: name };
const ended = { steps: count, durationMs: count, totalTokens: count };

/** Every event that there is. */
export const eventKinds = {
  workspace_created: {
    context: "WorkspaceArtifacts",
    place: "outside",
    fields: { workspaceScope: choice("local", "general", "cloud") },
  },
  workspace_deleted: { context: "WorkspaceArtifacts", place: "outside", fields: { artifacts: count, sessions: count } },
  workspace_purged: {
    context: "WorkspaceArtifacts",
    place: "outside",
    fields: { objects: count, inactiveDays: count },
  },
  history_deleted: { context: "WorkspaceArtifacts", place: "outside", fields: {} },
  history_saved: { context: "WorkspaceArtifacts", place: "inside", fields: { messages: count } },
  artifact_created: {
    context: "WorkspaceArtifacts",
    place: "inside",
    fields: {
      artifactId: name,
      artifactType: choice("tool_output", "file_diff", "generated_file"),
      artifactName: text,
      bytes: count,
    },
  },
  session_created: {
    context: "SessionLifecycle",
    place: "outside",
    fields: {
      executionEnvironment: choice("desktop", "cloud_sandbox"),
      workspaceScope: choice("local", "general", "cloud"),
      isContinued: flag,
      isCompatible: flag,
    },
  },
  session_started: { context: "SessionLifecycle", place: "outside", fields: {} },
  session_resumed: {
    context: "SessionLifecycle",
    place: "outside",
    fields: { outcome: choice("resumed", "expired", "incompatible"), policyBundleVersion: name },
  },
  session_recovered: {
    context: "SessionLifecycle",
    place: "outside",
    fields: {
      ...{ incompleteTask: name, prompt: text, lastStep: count, maxSteps: count },
      from: choice("checkpoint", "history", "nothing"),
    },
  },
  session_state_changed: {
    context: "SessionLifecycle",
    place: "either",
    fields: { from: states, to: states, note: text },
  },
  session_completed: { context: "SessionLifecycle", place: "outside", fields: { taskCount: count, ...ended } },
  session_failed: { context: "SessionLifecycle", place: "outside", fields: { errorCode: name, error: text } },
  session_cancelled: { context: "SessionLifecycle", place: "outside", fields: {} },
  policy_bundle_issued: {
    context: "PolicyGuardrails",
    place: "outside",
    fields: { policyBundleVersion: name, expiresAt: name, capabilities: count },
  },
  policy_bundle_refused: {
    context: "PolicyGuardrails",
    place: "outside",
    fields: { reason: choice("unknown_schema", "invalid", "expired", "other_session") },
  },
  policy_denied: {
    context: "PolicyGuardrails",
    place: "inside",
    fields: { ...tool, reason: choice(...denialReasons), target: text },
  },
  budget_exhausted: { context: "PolicyGuardrails", place: "inside", fields: { used: count, limit: count } },
  task_started: {
    context: "AgentExecution",
    place: "inside",
    fields: {
      prompt: text,
      maxSteps: count,
      allowNetwork: flag,
      approvalMode: choice("always", "on_risky_actions", "never"),
    },
  },
  task_steps_warning: { context: "AgentExecution", place: "inside", fields: { taken: count, maxSteps: count } },
  task_completed: { context: "AgentExecution", place: "inside", fields: ended },
  task_failed: { context: "AgentExecution", place: "inside", fields: { ...ended, errorCode: name, error: text } },
  task_cancelled: { context: "AgentExecution", place: "inside", fields: { ...ended } },
  step_started: { context: "AgentExecution", place: "inside", fields: { number: count } },
  step_completed: { context: "AgentExecution", place: "inside", fields: { number: count, durationMs: count } },
  llm_request_started: { context: "AgentExecution", place: "inside", fields: { model: name, inputTokens: count } },
  llm_request_completed: {
    context: "AgentExecution",
    place: "inside",
    fields: { ...use, stopReason: choice("stop", "length", "tool_use", "error", "cancelled"), error: text },
  },
  tool_requested: { context: "AgentExecution", place: "inside", fields: { ...tool, arguments: text } },
  tool_completed: {
    context: "AgentExecution",
    place: "inside",
    fields: {
      ...tool,
      status: choice("ok", "failed", "denied", "timed_out", "unknown_tool"),
      latencyMs: count,
      outputBytes: count,
      error: text,
    },
  },
  approval_requested: {
    context: "Approval",
    place: "inside",
    fields: { ...approval, summary: text, expiresAt: count },
  },
  approval_resolved: {
    context: "Approval",
    place: "inside",
    fields: {
      ...approval,
      decision: choice("approved", "denied"),
      by: choice("answer", "silence", "ended"),
      clientAt: count,
      decidedBy: name,
      latencyMs: count,
    },
  },
} as const satisfies Readonly<Record<string, EventKind>>;

export type EventType = keyof typeof eventKinds;

export type EventPayload<Type extends EventType> = {
  readonly [Field in keyof (typeof eventKinds)[Type]["fields"]]?: ValueOf<
    Extract<(typeof eventKinds)[Type]["fields"][Field], EventField>
  >;
};

/** The chains that an event may carry: of a step, of a session alone, or either. */
export type PlaceOf<Type extends EventType> = (typeof eventKinds)[Type]["place"];

export const kindOf = (type: EventType): EventKind => eventKinds[type];
export const eventTypes = Object.keys(eventKinds) as readonly EventType[];
