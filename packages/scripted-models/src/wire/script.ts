import type { CapturedRequest, GivenAnswer } from "./captured-request.ts";
import type { WireFormat } from "./formats.ts";
import type { JsonObject } from "./json.ts";
import type { CountedTokens } from "./prefix-cache.ts";
import { signatureOf } from "./signature.ts";

/** A call that the scripted model makes. */
export interface ScriptedCall {
  /** Default: `call_N_I`, with the number of the answer in its play and of the call in its answer. */
  readonly id?: string;
  readonly name: string;
  /** An object, or a text that is sent as it is: arguments that are no JSON. */
  readonly args: JsonObject | string;
}

/** The scripted model's answer to one request. All parts may be absent. */
export interface ScriptedAnswer {
  readonly text?: string;
  /** Signed with Anthropic, an encrypted item with responses, `reasoning_content` with chat completions. */
  readonly thinking?: string;
  /** The signature of the thinking, if the format has one. Default: derived from the thinking. */
  readonly signature?: string;
  readonly calls?: readonly ScriptedCall[];
  /** `length`: cut off by the bound on output. Default: as the calls say. */
  readonly stop?: "length";
  /** Instead of an answer. `overflow`: what the provider says when the prompt is longer than its window. */
  readonly error?: "overflow" | { readonly status: number; readonly body: JsonObject | string };
  /** Before the first byte. */
  readonly delayMs?: number;
  /** `stall`: after text and thinking nothing more comes, until Pi leaves; `cut`: there the connection ends. */
  readonly end?: "stall" | "cut";
  /** The answer's report of tokens: none, or these. Default: the counts of the simulated cache. */
  readonly usage?: "none" | (CountedTokens & { readonly output: number });
}

/** Decides by what it is asked; it may wait for something. */
export type Answerer = (request: CapturedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** One answer for each request of the agent, in order; or one function for all of them. */
export type Script = readonly (ScriptedAnswer | Answerer)[] | Answerer;

export const given = (index: number, format: WireFormat, answer: ScriptedAnswer): GivenAnswer => ({
  index,
  format,
  text: answer.text ?? "",
  thinking: answer.thinking,
  signature: answer.thinking === undefined ? undefined : (answer.signature ?? signatureOf(answer.thinking)),
  calls: (answer.calls ?? []).map(({ id, name, args }, at) => ({ id: id ?? `call_${index}_${at}`, name, args })),
  whole: answer.end === undefined && answer.error === undefined,
});
