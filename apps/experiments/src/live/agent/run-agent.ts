import type { IncomingUser, RenderedPrompt, Usage } from "@cm/context-log";
import { type ErrorCode, isCmError, type JsonObject, nonEmpty } from "@cm/object-model";
import type { ReplayFiles } from "@cm/replay";
import type { ModelAnswer, ToolDeclaration } from "@cm/scripted-models";
import { readAnswer, wires } from "@cm/scripted-models";
import type { Session } from "@cm/session";
import type { Workspace } from "../../example/tools/tool.ts";
import { type AskOptions, ask } from "../endpoint/ask.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { limits } from "../limits.ts";
import { type AgentEnd, answerTokens, boundMet, isAbove, type SentSize } from "./bounds.ts";
import type { Images } from "./images.ts";
import { type LiveToolResult, runLiveTool } from "./run-tool.ts";
import { added, inputOf, noTokens } from "./usage.ts";

export interface AgentRun {
  readonly session: Session;
  readonly files: ReplayFiles;
  readonly workspace: Workspace;
  readonly endpoint: Endpoint;
  readonly tools: readonly ToolDeclaration[];
  readonly seed?: number | undefined;
  readonly images: Images;
  readonly asking: AskOptions;
  readonly stepsMax?: number | undefined;
  /** Milliseconds since some moment. */
  readonly now?: () => number;
  readonly onRequest?: ((prompt: RenderedPrompt, n: number) => void) | undefined;
}

export interface AgentOutcome {
  readonly end: AgentEnd;
  /** The model's last answer. */
  readonly answer: string;
  /** As the endpoint named it, which may say more than the name that was asked for. */
  readonly answeredBy: string | undefined;
  /** The newest step; undefined where none was made. */
  readonly lastStep: number | undefined;
  readonly requests: number;
  readonly retries: number;
  readonly tokens: Usage;
}

/**
 * The agent: asks, runs what is asked for, writes the step, until the model calls no tool or a bound is met. Of several
 * prompts each is said when the one before is done.
 */
export async function runAgent(run: AgentRun, prompts: readonly IncomingUser[]): Promise<AgentOutcome> {
  const { session, endpoint, now = Date.now } = run;
  const begun = now();
  const outcome: Mutable<Omit<AgentOutcome, "end">> = { ...nothingDone };
  let before: SentSize | undefined;
  const left = [...prompts];
  await session.receive(left.splice(0, 1));
  for (;;) {
    const bound = boundMet(outcome, { ms: now() - begun, stepsMax: run.stepsMax });
    if (bound !== undefined) return { end: bound, ...outcome };
    const prompt = await nextPrompt(run);
    if (prompt === undefined || isAbove(prompt, before, endpoint)) return { end: "window", ...outcome };
    run.onRequest?.(prompt, outcome.requests);
    const { answer, retries } = await askModel(run, prompt);
    const results = await runCalls(run, answer);
    // By the name that was asked for: under another one the session would take the cache for another model's.
    const said = { ...answer.message, model: endpoint.model };
    const { n } = await session.record({ answer: said, results, usage: answer.usage });
    before = { tokens: inputOf(answer.usage), chars: prompt.chars };
    outcome.requests += 1;
    outcome.retries += retries;
    outcome.lastStep = n;
    outcome.tokens = added(outcome.tokens, answer.usage);
    outcome.answer = said.text;
    outcome.answeredBy = answer.message.model;
    if (results.length > 0) continue;
    if (left.length === 0) return { end: "answered", ...outcome };
    await session.receive(left.splice(0, 1));
  }
}

/** Undefined where what may not be left out is above the model's window. */
async function nextPrompt({ session, endpoint }: AgentRun): Promise<RenderedPrompt | undefined> {
  const { model, windowTokens } = endpoint;
  const window = windowTokens && { tokensMax: windowTokens, answerTokens: answerTokens(windowTokens) };
  try {
    return await session.assemble({ model, ...(window ? { window } : {}) });
  } catch (error) {
    if (isCmError<ErrorCode>(error, "session/window-exceeded")) return undefined;
    throw error;
  }
}

async function askModel(run: AgentRun, prompt: RenderedPrompt) {
  const { endpoint, tools, seed, asking } = run;
  const { protocol, model, extra } = endpoint;
  const image = await run.images.of(prompt);
  const body = wires[protocol].body({
    ...{ model, prompt, tools, seed, extra, image },
    outputTokensMax: answerTokens(endpoint.windowTokens),
  });
  const { json, retries } = await ask(endpoint, body, asking);
  return { answer: readAnswer(protocol, json), retries };
}

/** One after the other, as the model would see them: a later call may need what an earlier one did. */
async function runCalls(run: AgentRun, { message: { calls = [] } }: ModelAnswer) {
  const results = [];
  for (const [index, { callId, tool, args }] of calls.entries()) {
    const {
      text,
      failed,
      shows = [],
    }: LiveToolResult = index < limits.callsPerAnswerMax
      ? await runLiveTool(tool, args, { workspace: run.workspace, host: run.session })
      : { text: `Not run: an answer may have ${limits.callsPerAnswerMax} calls.`, failed: true };
    const files = await run.files.touchesOf(recorded(callId, tool, args), { text, failed });
    results.push({ role: "tool" as const, callId, text, failed, files, ...nonEmpty({ shows }) });
  }
  return results;
}

const recorded = (id: string, name: string, args: JsonObject) => ({ id, name, args });

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const nothingDone = {
  ...{ answer: "", answeredBy: undefined, lastStep: undefined, requests: 0, retries: 0, tokens: noTokens },
};
