import type { AttachmentRef, JsonObject, SeenSpan, Thinking } from "@cm/object-model";
import type { LogEntry, Textless } from "./log-entries.ts";
import type { PartForm } from "./part-form.ts";
import type { ToldFields } from "./told-notes.ts";

/** A content object as the prompt shows it. */
export interface ViewObject {
  readonly id: string;
  /** Short name within the session: `f12`, `t7`. */
  readonly alias: string;
  readonly kind: "file" | "toolcall";
  /** The agent-visible path of a file (SSOT 4.1). */
  readonly path?: string;
  readonly fileType?: string;
  readonly charCount?: number;
  readonly tool?: string;
  readonly status?: "ok" | "fail";
  readonly argsDisplay?: string;
  /** Of a call: the parts of files that its output shows. */
  readonly spans?: readonly SeenSpan[];
  readonly redactions?: number;
  /** Of a call: pictures that its result had beside the text. */
  readonly attachments?: number;
  /** The current text; for a file that has none the newest part of it that the agent saw. */
  readonly text: string | null;
  /** Given where the text is null, or where it is only a part that was seen. */
  readonly textless?: Textless;
  /** Its text is not at hand here, since nothing of it is in the prompt: the store has it. */
  readonly inStore?: true;
  /** Of a file: the version in sight, as `SeenSpan.content_hash` names it. */
  readonly contentHash?: string;
}

export interface ViewSets {
  readonly index: ReadonlySet<string>;
  readonly pool: ReadonlySet<string>;
  readonly active: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  /** Marked by the agent to be folded next. */
  readonly dismissed: ReadonlySet<string>;
  /** Asked for by the agent, not yet brought back at the tail. */
  readonly requested: ReadonlySet<string>;
}

/** What the session cost so far, in characters at the session's prices: with this prompt, and as a plain log. */
export interface CostLedger {
  readonly requests: number;
  readonly billed: number;
  readonly plainBilled: number;
  /** Length of the plain log at the newest request, without the fixed head. */
  readonly plainChars: number;
  /** Characters of system prompt and tool declarations, the same in every request. */
  readonly headChars: number;
}

/** What is new to a table: entries from `from` up to `to`, that one not included, and parts that changed. */
export interface LogChanges {
  readonly from: number;
  readonly to: number;
  /**
   * Keys as in `ContextView.forms`, oldest first, of parts that have another form, and of arguments whose call got its
   * result in a later step and has an object since. A part that changed twice stands twice.
   */
  readonly parts: readonly string[];
}

/**
 * Facts about a log that a policy or a renderer wants at each request without reading the whole log again. A table is a
 * constant of the module that reads it; the facts belong to one index. `update` takes in what is new: it may look at other
 * tables, and leaves the view as it is.
 */
export interface LogTable<Facts> {
  readonly name: string;
  create(): Facts;
  update(facts: Facts, view: ContextView, changes: LogChanges): void;
}

/** The index of a view's log, as its readers see it. `LogIndex` is the one that owners of a log feed. */
export interface ViewIndex {
  readonly log: readonly LogEntry[];
  readonly forms: ReadonlyMap<string, PartForm>;
  /**
   * The facts of a table, with all that came since they were asked for last.
   * @throws RangeError where the view has another log or other forms than this index
   */
  table<Facts>(table: LogTable<Facts>, view: ContextView): Facts;
}

/**
 * All that a policy and a renderer may know: plain data. `log` grows at its end and is the same array in every view that
 * an open session shows them; `forms` says how parts of it stand in the prompt that was sent last, full where it says nothing.
 */
export interface ContextView {
  readonly session: string;
  /** The step whose request is being assembled, from 0. */
  readonly step: number;
  readonly turn: number;
  readonly systemPrompt: string;
  readonly log: readonly LogEntry[];
  /** Content objects of the session's index. A file in whose place another one stands is that one, with its id. */
  readonly objects: ReadonlyMap<string, ViewObject>;
  readonly sets: ViewSets;
  readonly forms: ReadonlyMap<string, PartForm>;
  /** The index of `log` and `forms`, kept from request to request. */
  readonly index: ViewIndex;
  /** The prompt of the request before; absent at the first. */
  readonly sent: RenderedPrompt | undefined;
  readonly ledger: CostLedger;
  /** `cold`: the provider's cache has nothing of this prompt (idle too long, resumed, model changed, compacted). */
  readonly cache: "warm" | "cold";
  /** What the messages of this request may weigh as UTF-8; absent where nothing bounds them. */
  readonly window?: { readonly bytesMax: number };
  /** What they are to weigh where folding can do it; see `AssembleOptions`. Absent without such a request. */
  readonly foldToBytes?: number;
  /** The same where dialogue may be shortened. */
  readonly dialogueToBytes?: number;
}

/** An object whose text is brought back at the end of a result, by the result's place in the log. */
export interface Recall {
  readonly object: string;
  readonly into: number;
  /** The texts of a call's arguments in place of its output. */
  readonly input?: true;
}

/** Places of a log: from the first up to the second, that one not included. */
export type PlaceRange = readonly [from: number, to: number];

/** What a policy decides for one request. It is recorded in the step, and with it every past prompt is rebuilt. */
export interface PromptDecision extends ToldFields {
  /** Forms that begin with this request. */
  readonly forms?: Readonly<Record<string, PartForm>>;
  /** Objects whose text is brought back, each at the end of a result. */
  readonly recall?: readonly Recall[];
  /**
   * Entries that leave the prompt with this request and do not come back: places of the log from the first number up to
   * the second, that one not included, ascending. A call leaves with its results, and notes with the result they stand in.
   * The rest of the decision is about what is left.
   */
  readonly omit?: readonly PlaceRange[];
  /** Objects that leave the active set with this request, under layouts with `residency: "sets"`. */
  readonly deactivate?: readonly string[];
  /** What the list of the pool may take with this request, in UTF-16 units; absent: as much as its layout gives it. */
  readonly poolChars?: number;
  /** Present when sent text is rewritten: from which entry on, and why. */
  readonly fold?: { readonly cut: number; readonly reason: string };
  /** Why each form and recall was decided: a reason with the parts or objects that it holds for. For the report. */
  readonly reasons?: Readonly<Record<string, readonly string[]>>;
}

/**
 * A message as the model gets it. The same id means the same bytes within one session, for ever, unless others make
 * something else of the message (`amend`).
 */
export interface PromptMessage {
  readonly id: string;
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
  /** What the provider counts here: text and arguments as JSON, in UTF-16 units. */
  readonly chars: number;
  readonly thinking?: readonly Thinking[];
  readonly calls?: readonly { readonly callId: string; readonly tool: string; readonly args: JsonObject }[];
  /** The call that a `tool` message answers. */
  readonly callId?: string;
  readonly failed?: boolean;
  readonly attachments?: readonly AttachmentRef[];
}

export interface RenderedPrompt {
  readonly layout: string;
  readonly system: string;
  readonly messages: readonly PromptMessage[];
  /** Characters of all messages, without system prompt and tools. */
  readonly chars: number;
  /** How much of the request before stands unchanged at the start of this one: what a provider's cache can serve. */
  readonly kept: { readonly messages: number; readonly chars: number };
  /** For providers that cache where they are told to: after how many messages, ascending. Not part of the text. */
  readonly breakpoints?: readonly number[];
}
