import type { WireFormat } from "./formats.ts";
import type { JsonObject } from "./json.ts";
import type { CountedTokens } from "./prefix-cache.ts";
import type { GivenAnswer } from "./script.ts";
import type { SentPrompt } from "./sent-prompt.ts";

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
