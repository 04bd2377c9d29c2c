import type { IncomingResult } from "@cm/context-log";
import { type Basis, defined, type JsonObject, type StepAddress } from "@cm/object-model";
import type { AgentTurnContext } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, ToolResultMessage } from "@earendil-works/pi-ai";
import { untilAnswered } from "../until-answered.ts";
import type { AwaitedCall } from "./agent-outcome.ts";
import type { AgentRunOptions } from "./agent-run.ts";
import { nameOf } from "./earlier-models.ts";
import { argsOf, attachmentsOf, incomingAnswer, textOf, usageOf } from "./pi-messages.ts";
import type { Pictures } from "./pictures.ts";
import { RunUsage } from "./run-usage.ts";
import { touchedFiles } from "./touched-files.ts";

/** What a tool said, as far as the session takes it. */
export interface ToolOutcome extends Pick<ToolResultMessage, "toolCallId" | "content" | "isError"> {
  readonly details?: unknown;
}

/** Writes each answer of the model, with the results of its calls, as a step of the session. */
export class StepRecorder {
  readonly usage = new RunUsage();
  readonly awaited = new Map<string, AwaitedCall>();
  readonly #options: AgentRunOptions;
  readonly #pictures: Pictures;
  #last: { readonly address: StepAddress; readonly basis: Basis } | undefined;
  #text = "";

  constructor(options: AgentRunOptions, pictures: Pictures) {
    this.#options = options;
    this.#pictures = pictures;
  }

  get last() {
    return this.#last;
  }

  get text(): string {
    return this.#text;
  }

  /** Of an answer that was broken off, its words are kept without its calls: none of them ran. Without words it is none. */
  async record({ message, toolResults }: Pick<AgentTurnContext, "message" | "toolResults">): Promise<void> {
    const { session, asked } = this.#options;
    const isBroken = message.stopReason === "aborted" || message.stopReason === "error";
    const content = isBroken ? message.content.filter(({ type }) => type === "text") : message.content;
    const answer = incomingAnswer({ ...message, content }, nameOf(asked.model));
    const used = usageOf(message.usage);
    if (used !== undefined) this.usage.add(asked.model, used);
    if (isBroken && (answer.text === "" || this.#options.dropsBroken === true)) return;
    const results = isBroken ? [] : await this.#results(message, toolResults);
    const step = { answer, results, ...(used === undefined ? {} : { usage: used }) };
    const receipt = await untilAnswered(() => session.record(step));
    this.#last = { address: { session: session.session, n: receipt.n }, basis: receipt.basis };
    // Records take no lone surrogate, which a model may say in an answer that is cut.
    this.#text = answer.text.toWellFormed();
    this.#options.onEvent({ from: "step", address: this.#last.address, usage: this.usage.byModel });
  }

  /**
   * One for each call that is over. A call that never began, because the run was interrupted, has a result without text.
   * Some models give each call the same id: results come in the order of their calls.
   */
  async #results(
    { content }: AssistantMessage,
    given: readonly ToolResultMessage[],
  ): Promise<readonly IncomingResult[]> {
    const calls = content.flatMap((block) => (block.type === "toolCall" ? [block] : []));
    const byCall = Map.groupBy(given, ({ toolCallId }) => toolCallId);
    const results: IncomingResult[] = [];
    for (const call of calls) {
      const { id, name: tool } = call;
      if (this.awaited.has(id)) continue;
      const result = byCall.get(id)?.shift();
      results.push(
        result === undefined
          ? { role: "tool", callId: id, text: null, failed: true, ...this.#chain() }
          : await this.incoming(result, { tool, args: argsOf(call) }),
      );
    }
    return results;
  }

  /** A tool's result as the session takes it, with the files that its call touched. */
  async incoming(
    { toolCallId: callId, content, isError: failed, details }: ToolOutcome,
    { tool, args }: { readonly tool: string; readonly args: JsonObject },
  ): Promise<IncomingResult> {
    const { cwd, bindAll } = this.#options;
    const text = textOf(content);
    const attachments = attachmentsOf(content);
    this.#pictures.learn(attachments);
    const files = await touchedFiles({ tool, args, text, failed, details }, cwd, bindAll);
    const shows = (details as { cm?: { shows?: readonly string[] } } | undefined)?.cm?.shows ?? [];
    return {
      ...{ role: "tool" as const, callId, text, failed },
      ...(attachments.length > 0 ? { attachments } : {}),
      ...(files.length > 0 ? { files } : {}),
      ...(shows.length > 0 ? { shows } : {}),
      ...this.#chain(),
    };
  }

  #chain(): Pick<IncomingResult, "idChain"> {
    return defined({ idChain: this.#options.chain?.() });
  }
}
