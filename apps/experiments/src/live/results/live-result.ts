import type { Usage } from "@cm/context-log";
import type { AgentEnd } from "../agent/bounds.ts";
import type { Network } from "../agent/isolation.ts";
import type { AgentOutcome } from "../agent/run-agent.ts";
import type { CitationResult } from "../tasks/citations.ts";

/** One task under one policy, once. */
export interface LiveRun {
  readonly task: string;
  readonly policy: string;
  readonly layout: string;
  /** From 0. */
  readonly repetition: number;
  readonly seed: number | undefined;
  readonly solved: boolean;
  /** The finding of the check, in a few words. */
  readonly why: string;
  /** Absent where the task asks for no quotes. */
  readonly citations: CitationResult | undefined;
  readonly end: AgentEnd;
  /** The model's name as the endpoint gave it last. */
  readonly answeredBy: string | undefined;
  readonly requests: number;
  /** Requests that were repeated. */
  readonly retries: number;
  /** By the provider's own count. */
  readonly tokens: Usage;
  /** Input in plain uncached tokens, by the price vector. */
  readonly billed: number;
  readonly seconds: number;
  /** The session's id, and its database in the output folder. */
  readonly session: string;
  readonly database: string | undefined;
}

/** `results.json`: all that is needed to say what was compared, and nothing secret. */
export interface LiveResults {
  readonly command: string;
  readonly version: string;
  readonly createdAt: string;
  readonly protocol: string;
  /** As it was asked for; a `scripted` one is no model. */
  readonly model: string;
  /** Host and path of the endpoint. */
  readonly endpoint: string;
  readonly windowTokens: number | undefined;
  readonly extra: object;
  readonly network: Network;
  readonly prices: { readonly name: string; readonly read: number; readonly write: number };
  readonly limits: Readonly<Record<string, number>>;
  /** SHA-256 of what is equal for all policies. */
  readonly sha256: {
    readonly systemPrompt: string;
    readonly tools: string;
    readonly tasks: Readonly<Record<string, string>>;
  };
  readonly runs: readonly LiveRun[];
}

/** The provider's bill for input: uncached tokens at 1, cache writes and reads at their prices. */
export function billedTokens(
  { input, cacheRead, cacheWrite }: AgentOutcome["tokens"],
  { read, write }: { readonly read: number; readonly write: number },
): number {
  return input + read * cacheRead + write * cacheWrite;
}
