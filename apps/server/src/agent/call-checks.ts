import { contextToolName } from "@cm/context-tool";
import type { JsonObject } from "@cm/object-model";
import { repeatsNotice } from "@cm/prompt-grammar";
import { fileAction, fileActions } from "@cm/tool-calls";

/** Facts about a run that a check decides by. */
export interface CheckedRun {
  readonly runId: string;
  readonly conversationId: string;
  readonly preset: string;
  /** What is switched on for its session at this moment; empty without governance. */
  readonly featureFlags: Readonly<Record<string, boolean>>;
}

/** A request to the model that is about to be made. */
export interface CheckedRequest {
  readonly model: string;
  readonly provider: string;
  /** Characters of its messages. */
  readonly chars: number;
  /** Characters of its system prompt and its tools, about the same in every request. */
  readonly fixedChars: number;
  /** Requests of this run before it. */
  readonly requests: number;
}

/** A call of a tool that is about to run. */
export interface CheckedCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
}

/**
 * `ask`: the run ends as awaiting, and the call runs when a person approves it. `stop`, before a call of the model: the
 * run ends here, with what it has unless it failed.
 */
export type Verdict =
  | { readonly do: "allow" }
  | { readonly do: "deny"; readonly reason: string }
  | { readonly do: "ask" }
  | { readonly do: "stop"; readonly end: "budget" | "interrupted" | "failed"; readonly reason: string };

/** The one place where rules look at what a run is about to do: before each model call, and before each tool call. */
export interface CallChecks {
  beforeModel?(request: CheckedRequest, run: CheckedRun): Verdict | Promise<Verdict>;
  beforeTool?(call: CheckedCall, run: CheckedRun): Verdict | Promise<Verdict>;
}

export const allowed: Verdict = { do: "allow" };

/** The first that does not allow decides. */
export async function verdictOf(
  checks: readonly CallChecks[],
  ask: (check: CallChecks) => Verdict | Promise<Verdict> | undefined,
): Promise<Verdict> {
  for (const check of checks) {
    const verdict = await ask(check);
    if (verdict !== undefined && verdict.do !== "allow") return verdict;
  }
  return allowed;
}

/** Calls of these tools wait for a person. */
export const approvalOf = (tools: readonly string[]): CallChecks => ({
  beforeTool: ({ tool }) => (tools.includes(tool) ? { do: "ask" } : allowed),
});

/** Values of a call that name a file, or say what is there already. */
const notNew = /^(?:(?:file|notebook)?_?path|file_?name|old_?(?:text|string|str|content)|search|pattern)$/i;
const depthMax = 8;

/** A call that would write one of the prompt's own notices into a file, in place of the text that it stands for. */
export const noNoticesInFiles: CallChecks = {
  beforeTool: ({ tool, args }) => {
    if (tool === contextToolName) return allowed;
    const changes = fileActions(fileAction(tool, args)).some(({ does }) => does !== "read");
    const repeated = changes
      ? [...newTexts(args, 0)].map(repeatsNotice).find((found) => found !== undefined)
      : undefined;
    if (repeated === undefined) return allowed;
    const what = repeated.as === "cut" ? "ends in a notice where text was left out" : "is a notice, not content";
    return {
      do: "deny",
      reason: `Not run: what it would write ${what}. Get the text with ${contextToolName}, then call this tool again with the whole text.`,
    };
  },
};

function* newTexts(value: unknown, depth: number): Generator<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null || depth > depthMax) return;
  for (const [key, each] of Object.entries(value)) if (!notNew.test(key)) yield* newTexts(each, depth + 1);
}
