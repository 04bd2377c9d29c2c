import type { ApprovalRecord, Verdict } from "@cm/governance";
import type { JsonObject } from "@cm/object-model";
import { limits } from "../limits.ts";
import type { TaskContext } from "./task-context.ts";
import { summaryOf } from "./tool-actions.ts";

export interface AskedCall {
  readonly callId: string;
  readonly tool: string;
  readonly capability: string;
  readonly args: JsonObject;
}

/** Asks a person, and waits: no thread, and no other call. */
export async function askApproval(
  call: AskedCall,
  { risk, rule }: Extract<Verdict, { readonly outcome: "asks" }>,
  context: TaskContext,
  signal?: AbortSignal,
): Promise<ApprovalRecord> {
  const { approvals, session, tell, taskId } = context.parts;
  const { callId, tool, capability, args } = call;
  const { chain } = context;
  const summary = summaryOf(tool, args, limits.approvalSummaryCharsMax);
  const asked = { chain, capability, risk, summary, tool, callId, owner: session.owner };
  const { request, decided } = approvals.ask({ ...asked, ...(rule === undefined ? {} : { rule }) });
  const over = session.wait("approval", chain);
  const { approvalId: approval_id, expiresAt } = request;
  const about = { approval_id, tool_call_id: callId, tool, capability, risk, summary };
  const title = rule === undefined ? {} : { rule: rule.title };
  tell("approval_requested", { ...about, ...title, expires_at: new Date(expiresAt).toISOString() });
  const ended = () => approvals.end({ sessionId: chain.sessionId, taskId });
  if (signal?.aborted) ended();
  signal?.addEventListener("abort", ended, { once: true });
  try {
    const record = await decided;
    const { decision, by, decidedBy: decided_by } = record;
    tell("approval_resolved", { approval_id, tool_call_id: callId, decision, by, decided_by });
    return record;
  } finally {
    signal?.removeEventListener("abort", ended);
    over();
  }
}
