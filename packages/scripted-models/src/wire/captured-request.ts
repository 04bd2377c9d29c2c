import type { WireFormat } from "./formats.ts";
import type { JsonObject } from "./json.ts";
import type { CountedTokens } from "./prefix-cache.ts";
import type { SentPrompt } from "./sent-prompt.ts";

/** An answer as it was given, for comparing what comes back in later requests. */
export interface GivenAnswer {
  /** Its number in the play, from 0. */
  readonly index: number;
  readonly format: WireFormat;
  readonly text: string;
  readonly thinking: string | undefined;
  readonly signature?: string | undefined;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: JsonObject | string }[];
  /** Whether it came to its end; Pi leaves an answer out that did not. */
  readonly whole: boolean;
}

/** A request as it reached the scripted model. */
export interface CapturedRequest {
  /** Its number among its play's requests of the same kind, from 0. */
  readonly index: number;
  readonly format: WireFormat;
  /** When it had arrived, in ms of `performance.now()`. */
  readonly atMs: number;
  /** Without the play's own part, such as `/v1/messages`. */
  readonly path: string;
  /** Without keys. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly sent: SentPrompt;
  /** The counts of the simulated cache for it. */
  readonly tokens: CountedTokens;
  /** The play's answers before this request. */
  readonly given: readonly GivenAnswer[];
}
