import { isSessionId } from "@cm/object-model";
import { failure } from "./errors.ts";

declare const chained: unique symbol;

interface Named {
  readonly workspaceId: string;
  readonly sessionId: string;
  /** Only the functions of this file make a chain, so that no record carries an unchecked one. */
  readonly [chained]: true;
}

/** Of what happens between tasks: a session is created, resumed, closed. */
export interface SessionChain extends Named {
  readonly taskId: null;
  readonly stepId: null;
}

/** Of what happens within a task: every such thing belongs to a step. */
export interface StepChain extends Named {
  readonly taskId: string;
  readonly stepId: string;
}

/** Domain model, "ID Chain": on every event, tool call, artifact, approval and audit record; all four keys are there. */
export type IdChain = SessionChain | StepChain;

export interface SessionIds {
  readonly workspaceId: string;
  readonly sessionId: string;
}

export interface StepIds extends SessionIds {
  readonly taskId: string;
  readonly stepId: string;
}

/** @throws CmError `governance/invalid-chain` */
export function sessionChain({ workspaceId, sessionId }: SessionIds): SessionChain {
  check({ workspaceId, sessionId });
  return Object.freeze({ workspaceId, sessionId, taskId: null, stepId: null }) as SessionChain;
}

/** @throws CmError `governance/invalid-chain` */
export function stepChain({ workspaceId, sessionId, taskId, stepId }: StepIds): StepChain {
  check({ workspaceId, sessionId, taskId, stepId });
  return Object.freeze({ workspaceId, sessionId, taskId, stepId }) as StepChain;
}

/**
 * Reads a chain from outside: the four keys are there, and either both of task and step are null or none.
 * @throws CmError `governance/invalid-chain`
 */
export function parseChain(value: unknown): IdChain {
  if (typeof value !== "object" || value === null) throw invalid("workspaceId");
  const { workspaceId, sessionId, taskId, stepId } = value as Partial<Record<keyof StepIds, unknown>>;
  if (taskId === null && stepId === null) return sessionChain({ workspaceId, sessionId } as SessionIds);
  return stepChain({ workspaceId, sessionId, taskId, stepId } as StepIds);
}

function check(ids: Readonly<Record<string, unknown>>): void {
  const wrong = Object.keys(ids).find((name) => {
    const id = ids[name];
    return typeof id !== "string" || !isSessionId(id);
  });
  if (wrong !== undefined) throw invalid(wrong);
}

const invalid = (field: string) =>
  failure(
    "governance/invalid-chain",
    `The ${field} of the record's chain is no id: 1 to 128 letters, digits, dots, underscores, hyphens or tildes.`,
    { field },
  );
