/** The kind of database that a run writes into. */
export type StoreKind = "sqlite" | "memory" | "postgres" | "xtdb";

/**
 * The result of one replay of one recording under one policy. All sizes in characters, as the judge of prompts counts.
 */
export interface RunResult {
  /** Base name of the recording's file. */
  readonly file: string;
  readonly recording: string;
  /** The agent that wrote the recording, as the recording's format; a results file of an earlier version lacks it. */
  readonly family?: string;
  readonly policy: string;
  readonly layout: string;
  /** The session's id in the database; on a node that others use, with its namespace before it. */
  readonly session: string;
  readonly store: StoreKind;
  /** File name of the database within the output folder; undefined for a store that is no file. */
  readonly database: string | undefined;
  readonly prices: { readonly read: number; readonly write: number };
  /** Name of the prices, which tells apart runs that differ in nothing else. */
  readonly pricing?: string;
  /** How long the cache was taken to live: `never`, `recorded` or minutes. */
  readonly lifetime?: string;
  /** Characters of system prompt and tools that every request is taken to have. */
  readonly headChars: number;
  readonly calls: readonly CallFigures[];
  /** Every part that ever stood in a request, in order of the log: what was in view over time. */
  readonly parts?: readonly PartLife[];
  readonly totals: RunTotals;
  readonly seconds: number;
  readonly warnings: readonly string[];
}

export interface RunTotals {
  /** Billed input against the plain append-only log, which is 1. */
  readonly billedShare: number;
  readonly sentShare: number;
  /** Share of the characters sent that a prefix cache could serve. */
  readonly cachedShare: number;
  /** The largest request. */
  readonly peakChars: number;
  readonly plainPeakChars: number;
  /** Requests per 100 whose prefix was cut before the end of the one before. */
  readonly breaksPer100: number;
  /** Edits whose old text was in view, of those that had it in view in the plain log. */
  readonly neededMet: number;
  readonly needed: number;
  /** Different files of the edits whose text was out of view. */
  readonly missedFiles?: number;
  /** Edits of whose old text every line stood somewhere in the plain log, and those of them for which the request had all. */
  readonly union?: number;
  readonly unionMet?: number;
  /** Names that a call writes and that only tool output had: all, still in view, in view within a line of that output. */
  readonly cited?: number;
  readonly citedMet?: number;
  readonly citedInLine?: number;
  /** Lines of 25 and more characters that a call writes and that only tool output had: all, and those still in view. */
  readonly copied?: number;
  readonly copiedMet?: number;
  /** `billedShare` with one request more for each output that had to be fetched again. */
  readonly faultedShare?: number;
  /** Share of what user and model said that later requests still show; 1 unless a window forced it out. */
  readonly dialogueShare?: number;
  /** The largest `billedShare` that the session would have had if it had ended after so many calls, 25 or more. */
  readonly cutOffShare?: number;
  readonly cutOffCalls?: number;
  readonly billed: number;
  readonly plainBilled: number;
}

/** One model call. */
export interface CallFigures {
  readonly call: number;
  /** Size of the request, head included. */
  readonly sentChars: number;
  readonly cachedChars: number;
  readonly billed: number;
  readonly plainSentChars: number;
  readonly plainBilled: number;
  readonly resident: Resident;
  /** The place and reason of rewritten text. */
  readonly fold?: {
    readonly cut: number;
    readonly reason: string;
    readonly parts?: number;
    readonly savedChars?: number;
  };
  /** Why parts changed their form in this request: a reason with the number of parts. */
  readonly reasons?: Readonly<Record<string, number>>;
  /** The provider's cache had nothing of this request. */
  readonly cold?: true;
  /** Sent text was rewritten. */
  readonly broke?: true;
  /** Edits whose old text was out of view: the start of its longest line, the edited file, the part that had held it. */
  readonly missed?: readonly { readonly line: string; readonly file?: string; readonly part?: string }[];
  /** Objects brought back at the end of the newest result. */
  readonly recalled?: readonly string[];
  /** Time to assemble the request and to write its step, in milliseconds. */
  readonly assembleMs: number;
  readonly recordMs: number;
}

/** The composition of the request, without the head. */
export interface Resident {
  readonly dialogue: number;
  readonly args: number;
  readonly output: number;
  readonly references: number;
  readonly pool: number;
  readonly active: number;
}

/** How one part of the log stood in the requests. */
export interface PartLife {
  /** As in the view: `{at}` or `{at}.{call}`. */
  readonly key: string;
  readonly kind: "user" | "assistant" | "arguments" | "result" | "recalled";
  readonly tool?: string;
  /** The subject of the call: a path, the start of a command. */
  readonly target?: string;
  /** Characters in full. */
  readonly chars: number;
  /** From which call on it stood in which form, and how long it was then; the last one holds to the end. */
  readonly forms: readonly PartState[];
}

export interface PartState {
  readonly call: number;
  /** As in the view, `recalled`, or `gone` where nothing of it is in the request. */
  readonly form: string;
  readonly chars: number;
  /** Why it took this form: the decision's reason for the part. */
  readonly reason?: string;
}
