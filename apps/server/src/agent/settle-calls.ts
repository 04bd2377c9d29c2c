import type { CallEntry, ContextView } from "@cm/context-log";
import type { JsonObject } from "@cm/object-model";
import type { AgentToolResult } from "@earendil-works/pi-agent-core";
import { validateToolArguments } from "@earendil-works/pi-ai";
import { untilAnswered } from "../until-answered.ts";
import type { SettledCall } from "./agent-outcome.ts";
import type { AgentRunOptions, EndedCall } from "./agent-run.ts";
import { verdictOf } from "./call-checks.ts";
import { textOf } from "./pi-messages.ts";
import type { StepRecorder } from "./step-recorder.ts";

/** The calls of a session's newest answer that have no result, be it one that a run took in which failed then. */
function openCalls({ log }: Pick<ContextView, "log">): readonly CallEntry[] {
  const newest = log.findLast(({ kind }) => kind === "assistant");
  if (newest?.kind !== "assistant") return [];
  const behind = log.slice(newest.at + 1);
  const settled = new Set(behind.flatMap((entry) => (entry.kind === "result" ? [entry.callId] : [])));
  return newest.calls.filter(({ object, callId }) => object === undefined && !settled.has(callId));
}

/** Whether a call runs when it is settled. */
export const isApproved = (said: SettledCall | undefined): boolean => said?.kind === "approval" && said.approved;

/**
 * Gives each call that an earlier run left open its result, before the model is asked: what was brought, what the
 * tool says now that its call is approved, or that neither happened. A call that has a result keeps it.
 * @param which of the calls, by what was said to them; the others stay open
 */
export async function settleCalls(
  options: AgentRunOptions,
  recorder: StepRecorder,
  which: (said: SettledCall | undefined) => boolean = () => true,
): Promise<void> {
  const { session, settled, onEvent } = options;
  const byCall = new Map(settled.map((call) => [call.callId, call]));
  for (const open of openCalls(session.view())) {
    const { callId, tool, args } = open;
    const said = byCall.get(callId);
    if (!which(said)) continue;
    const { content, status, details } = await resultOf(open, said, options);
    const isError = status !== "ok";
    const result = await recorder.incoming({ toolCallId: callId, content, isError, details }, { tool, args });
    await untilAnswered(() => session.receive([result]));
    onEvent({ from: "settled", callId, tool, args, status, text: textOf(content) });
  }
}

interface Settled extends Pick<AgentToolResult<unknown>, "content"> {
  readonly status: EndedCall["status"];
  readonly details?: never;
}

async function resultOf(call: CallEntry, said: SettledCall | undefined, options: AgentRunOptions): Promise<Settled> {
  if (said === undefined) return failed("No result of this call was brought.");
  if (said.kind === "call")
    return { content: [{ type: "text", text: said.text }], status: said.failed ? "failed" : "ok" };
  if (!said.approved)
    return denied(said.reason === null ? "The call was denied." : `The call was denied: ${said.reason}`);
  return runApproved(call, options);
}

/** Rules are asked again: an approval answers their question, and nothing else that they say. */
async function runApproved({ callId, tool: name, args }: CallEntry, options: AgentRunOptions): Promise<Settled> {
  const { checks, run, tools, signal } = options;
  const verdict = await verdictOf(checks, (check) => check.beforeTool?.({ callId, tool: name, args }, run));
  if (verdict.do === "deny" || verdict.do === "stop") return denied(verdict.reason);
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) return failed(`Tool ${name} not found`);
  try {
    const prepared = (tool.prepareArguments?.(args) ?? args) as JsonObject;
    const call = { type: "toolCall" as const, id: callId, name, arguments: prepared as never };
    const { content, details } = await tool.execute(callId, validateToolArguments(tool, call), signal);
    return { content, status: "ok", details: details as never };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

const failed = (text: string): Settled => ({ content: [{ type: "text", text }], status: "failed" });
const denied = (text: string): Settled => ({ ...failed(text), status: "denied" });
