import type { Basis, CallChain, JsonObject, SourceBinding, StepAddress, Thinking } from "@cm/object-model";
import type { CallEntry } from "./log-entries.ts";
import type { PromptDecision, RenderedPrompt, ViewObject } from "./view.ts";

export interface IncomingAttachment {
  readonly mime: string;
  readonly data: Uint8Array;
}

/** A file that a call touched. A span is the part the call's output showed, by 1-based lines. */
export interface FileTouch {
  readonly binding: SourceBinding;
  readonly as: "read" | "edited" | "discovered";
  readonly span?: { readonly startLine: number; readonly endLine?: number };
  /** The call ran some time ago, as in a session that is filled in: what the file was then is unknown. */
  readonly isPast?: true;
}

export interface IncomingUser {
  readonly role: "user";
  readonly text: string;
  readonly attachments?: readonly IncomingAttachment[];
}

export interface IncomingResult {
  readonly role: "tool";
  readonly callId: string;
  /** Null where no output is known. */
  readonly text: string | null;
  readonly failed: boolean;
  readonly attachments?: readonly IncomingAttachment[];
  readonly files?: readonly FileTouch[];
  /** Objects whose kept text this output brings back, by id or alias: what the agent asked `recall` for. */
  readonly shows?: readonly string[];
  /** Where the call was made, in a governed session. */
  readonly idChain?: CallChain;
}

export interface IncomingAssistant {
  readonly role: "assistant";
  readonly text: string;
  readonly thinking?: readonly Thinking[];
  readonly calls?: readonly { readonly callId: string; readonly tool: string; readonly args: JsonObject }[];
  readonly model?: string;
  /** Who served the model, and by which wire format, as the agent names them. */
  readonly provider?: string;
  readonly api?: string;
  readonly stopReason?: string;
}

/** Tokens of one request as the provider reported them. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** An answer of the model with the results of its calls: together with the request before it, one step. */
export interface StepRecord {
  readonly answer: IncomingAssistant;
  readonly results?: readonly IncomingResult[];
  readonly usage?: Usage;
}

export interface StepReceipt {
  readonly n: number;
  readonly basis: Basis;
  /** What the policy had decided for the step's request, as it was recorded. */
  readonly decision: PromptDecision;
  /** There where another client wrote the session first: this step is the first of a fork, and the host goes on in it. */
  readonly fork?: SessionFork;
  /** Together with `fork`: who wrote the session that was left. */
  readonly otherWriter?: OtherWriter;
}

/** A session that goes on from the newest step that it shares with another one (SSOT 3.7). */
export interface SessionFork {
  readonly session: string;
  /** The session that the other client wrote. */
  readonly left: string;
  /** The newest step that both have; `null` where they have none in common. */
  readonly from: StepAddress | null;
}

/** A second client on one session, as its lease says (SSOT 2.6). It may also have died without giving up the lease. */
export interface OtherWriter {
  /** As the client named itself. Unknown where it holds no lease, but wrote. */
  readonly owner?: string;
  /** Milliseconds since the epoch. */
  readonly acquiredAtMs?: number;
  readonly expiresAtMs?: number;
}

export type SetCommand = {
  readonly action: "activate" | "deactivate" | "pin" | "unpin" | "show" | "hide";
  /** An object's id, its alias in this session, a file's path as the agent sees it, or the id of a call. */
  readonly id: string;
};

/** An object with all its text, for the result of the call that asked for it. */
export type RecallOutcome =
  | {
      readonly done: true;
      readonly object: LeveledObject;
      /** Of a tool call: its arguments. */
      readonly args?: JsonObject;
    }
  | {
      readonly done: false;
      readonly reason: string;
      /** A call without a known output: what else there is of it. */
      readonly call?: { readonly object: LeveledObject; readonly args: JsonObject };
    };

/** What a message of the session is sent as from the next request on, because another part of the harness changed it. */
export interface Amendment {
  /** The message's place in the log: what a prompt message's id begins with. */
  readonly at: number;
  /** The text in place of its own. Absent: as the session has it from its own record. */
  readonly text?: string;
  /** Of an answer: arguments in place of those of its calls, by the call's place. */
  readonly args?: Readonly<Record<number, JsonObject>>;
}

/** An object with its context level (SSOT 3.2). */
export type LeveledObject = ViewObject & {
  readonly level: "active" | "inactive" | "indexed";
  readonly pinned: boolean;
};

/** What `list` looks for; all given conditions hold together. */
export interface ListQuery {
  readonly kind?: "file" | "toolcall";
  readonly level?: LeveledObject["level"];
  readonly pinned?: boolean;
  /** A piece of a file's path as the agent sees it, or of a call's one-line arguments. */
  readonly path?: string;
  readonly fileType?: string;
  readonly tool?: string;
  /** A piece of the text, case ignored. */
  readonly text?: string;
  /** Rows per page, at most and by default 1,000. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly cursor?: string;
}

/** A file that other sessions met and this one did not; the agent may adopt it where the session is configured so. */
export interface ForeignFile {
  readonly id: string;
  readonly path: string;
  readonly fileType: string;
  readonly charCount: number;
}

export interface ObjectList {
  /** In the order in which the session met them. */
  readonly objects: readonly LeveledObject[];
  /** Only on the last page, and only where the session is configured to discover files of others. */
  readonly foreign?: readonly ForeignFile[];
  /** There exactly when more rows follow. */
  readonly next?: string;
}

/** A turn as it was, from its prompt to the end of its last call. Plain data. */
export interface TurnRecord {
  /** Counted from 1. */
  readonly turn: number;
  readonly messages: readonly TurnMessage[];
  /** Steps of the turn that were too many to be read. */
  readonly stepsOmitted?: number;
}

/**
 * What was said, `null` where that is gone, or was changed and left the prompt since; or a call by the object that has its
 * output. A call that got its result in a later step, or none, stands with its answer. Of a prompt's attachments the number.
 */
export type TurnMessage =
  | { readonly role: "user"; readonly text: string | null; readonly attachments?: number }
  | { readonly role: "assistant"; readonly text: string | null; readonly calls?: readonly OpenTurnCall[] }
  | { readonly role: "tool"; readonly object: string };

/** A call whose arguments its step alone has. */
export type OpenTurnCall = Pick<CallEntry, "callId" | "tool" | "args">;

/** The turns of which messages left the prompt, counted from 1, and where a piece of text was said in them. */
export interface OmittedTurns {
  readonly from: number;
  readonly to: number;
  /** Newest first: lines with the piece that was looked for. */
  readonly matches: readonly { readonly turn: number; readonly line: string }[];
}

/** A refusal is an answer for the agent, not a fault. `reason` is one sentence without content. */
export type CommandOutcome =
  | { readonly done: true; readonly id: string; readonly changed: boolean }
  | { readonly done: false; readonly reason: string };

export interface AssembleOptions {
  /**
   * What the harness knows of the provider's cache, such as `cold` after it compacted something itself. Default: `cold`
   * where the model is another one than before, or where nothing was sent for longer than the prices' `lifetimeMs`.
   */
  readonly cache?: "warm" | "cold";
  /** Who will answer, named as the answers are (`IncomingAssistant.model`). Another name has a cache of its own. */
  readonly model?: string;
  /** Default: as it was. A changed text makes a new version of the session's system prompt object. */
  readonly systemPrompt?: string;
  /** Default: what the session was opened with. */
  readonly window?: WindowBound;
  /**
   * What its messages are to weigh, in bytes as UTF-8, where folding outputs can do that: the harness asks for a smaller prompt.
   * Unlike a window it takes no pin, cuts no newest output and no dialogue, and more than it is no fault.
   */
  readonly foldToBytes?: number;
  /**
   * What they are to weigh where dialogue of turns that are over may keep its two ends alone for it: the harness has told
   * the agent what was said in them.
   */
  readonly dialogueToBytes?: number;
}

/** What a request may weigh. Where both are given, the tighter one holds. */
export interface WindowBound {
  /** The model's whole window: head, messages and answer, in tokens as the provider counts. */
  readonly tokensMax?: number;
  /** Room that is kept for the answer, out of `tokensMax`. Default: a part of it. */
  readonly answerTokens?: number;
  /** A hard bound for the messages, as UTF-8 (see `messageBytes`). */
  readonly bytesMax?: number;
}

/**
 * "harness/1", the side of the session: what an adapter drives. A step runs `receive`, `assemble`, then, with the
 * model's answer and its results, `record`. Calls wait for each other; none is lost.
 */
export interface ContextHost {
  readonly contract: "harness/1";
  /** The id of the session that the next step is written to: another one after a step that began a fork. */
  readonly session: string;
  /** Messages that came since the last step: prompts, and results that arrived late. */
  receive(messages: readonly (IncomingUser | IncomingResult)[]): Promise<void>;
  /**
   * The next request. Asking twice with nothing received or recorded in between gives the same bytes.
   * @throws CmError `session/window-exceeded` where what may not be left out is above the window; nothing was written
   */
  assemble(options?: AssembleOptions): Promise<RenderedPrompt>;
  /** Writes the step: all or nothing. */
  record(step: StepRecord): Promise<StepReceipt>;
  command(command: SetCommand): Promise<CommandOutcome>;
  /**
   * The kept text of an object, to be given as the result of the call that asked (`IncomingResult.shows` says so then):
   * of a file as it is now, of a call as it was. `id` as in `SetCommand`.
   */
  recall(id: string): Promise<RecallOutcome>;
  /**
   * Takes what others made of messages: it is sent so from the next request on, and nothing that is folded or brought back
   * later has what they took out. The objects keep what the tools gave. An open request is given up where this changes it.
   */
  amend(amendments: readonly Amendment[]): Promise<void>;
  /** Everything the session met, in that order. */
  objects(): Promise<readonly LeveledObject[]>;
  /** A part of it, page by page: what the agent's list tool shows. */
  list(query: ListQuery): Promise<ObjectList>;
  /** What was said and called in a turn, counted from 1; undefined where the session has no such turn. */
  turn?(turn: number): Promise<TurnRecord | undefined>;
  /** The turns of which messages left the prompt, undefined for none; `match` is looked for in what was said, case ignored. */
  omittedTurns?(match?: string): Promise<OmittedTurns | undefined>;
  /** A past request, rebuilt from the store. */
  promptAt(n: number): Promise<RebuiltPrompt>;
  /**
   * Writes what no step says yet, gives up the lease and closes: the session can be resumed anywhere as it is now. Closing
   * twice is closing once.
   * @throws what the store throws; the host stays open then, and can be asked again
   */
  close?(): Promise<void>;
  /** Closes and writes nothing, as if the process had died: what no step says is lost. */
  abandon?(): Promise<void>;
}

export interface RebuiltPrompt {
  readonly prompt: RenderedPrompt;
  readonly hash: string;
  /** The hash that was recorded when the request was made. */
  readonly recordedHash: string;
  /** False where text is gone and marks stand in its place; the hashes differ then. */
  readonly complete: boolean;
  /** Objects that the store does not have, though nothing says that they were erased: it is damaged. */
  readonly missing: readonly string[];
}

export type Detach = () => Promise<void>;

/** "harness/1", the side of the harness. */
export interface HarnessAdapter {
  readonly contract: "harness/1";
  attach(host: ContextHost): Promise<Detach>;
}
