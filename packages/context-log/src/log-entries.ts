import type { AttachmentRef, Checkout, JsonObject, NullReason, SeenSpan, Thinking } from "@cm/object-model";
import type { EntryPlace, NotePlace } from "./entry-place.ts";
import type { ToldEntry } from "./told-notes.ts";

/**
 * What the model met, in order. Entries are immutable and shared by all later views; `at` is the place in the log,
 * dense from 0. `step` is the step whose request an entry first stands in: messages that precede a request carry its
 * number, its answer and results carry the next one's.
 */
export type LogEntry = UserEntry | AssistantEntry | ResultEntry | NoteEntry | OmittedEntry;

/** What we tell the agent. It is no message: it stands at the end of a result (SSOT 4.4 (9)). */
export type NoteEntry = RecalledEntry | ResumedEntry | ToldEntry;

export interface UserEntry extends EntryPlace {
  readonly kind: "user";
  readonly text: string;
  readonly attachments: readonly AttachmentRef[];
}

export interface AssistantEntry extends EntryPlace {
  readonly kind: "assistant";
  readonly text: string;
  readonly thinking: readonly Thinking[];
  readonly calls: readonly CallEntry[];
}

export interface CallEntry {
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** The tool call's object; undefined until its result is known. */
  readonly object: string | undefined;
  /** Files the call named, by object id. */
  readonly files: readonly string[];
}

export interface ResultEntry extends EntryPlace {
  readonly kind: "result";
  readonly callId: string;
  readonly object: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly status: "ok" | "fail";
  /** The whole output; null where it was erased or never known. */
  readonly text: string | null;
  readonly attachments: readonly AttachmentRef[];
  readonly files: readonly string[];
  readonly spans: readonly SeenSpan[];
  /** Objects whose kept text this output brings back, where the agent asked for it; absent for none. */
  readonly shows?: readonly string[];
}

/** An object's text brought back, because a call needed it or a harness asked (SSOT 4.4 (9)). */
export interface RecalledEntry extends NotePlace {
  readonly kind: "recalled";
  readonly object: string;
  /** The texts of the call's arguments, and not its output. */
  readonly input?: true;
  /** Of a file: its path as the agent saw it then. */
  readonly path?: string;
  readonly text: string;
  /** Why the text is not the object's own but the newest part of it that was seen. */
  readonly textless?: Textless;
}

/** Told once, before the first prompt after resuming: what changed since the agent last looked (SSOT 3.6). */
export interface ResumedEntry extends NotePlace {
  readonly kind: "resumed";
  /** Files that others changed or deleted. `before` is the text that the agent knew, `after` the one there is now. */
  readonly files: readonly {
    readonly object: string;
    /** The agent-visible path at that time. */
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
    /** Why there is no text now. */
    readonly textless?: Textless;
  }[];
  readonly unreachable: readonly { readonly object: string; readonly path: string; readonly reason: string }[];
  readonly checkouts: readonly { readonly was?: Checkout; readonly now?: Checkout }[];
  /** Folders whose files the agent sees under another path from here on; with `object` that file alone. */
  readonly paths?: readonly { readonly was: string; readonly now: string; readonly object?: string }[];
}

/** What an omitted entry was. Keyframes have its number in this list, so another one goes to the end. */
export const omittedKinds = ["user", "assistant", "result", "note"] as const;

/**
 * Stands where an entry stood that left the prompt for good (`PromptDecision.omit`). What it said is in the store, so that
 * a log of any length weighs little more in memory than what the prompt shows of it. In the log of an open session its
 * fields are read from a row (decision 0097): look at them by name.
 */
export interface OmittedEntry extends EntryPlace {
  readonly kind: "omitted";
  readonly was: (typeof omittedKinds)[number];
  /** Characters that it has in the plain log: text and arguments as JSON. */
  readonly chars: number;
  /** Of a result: the call that it answers, the tool, and the object that has the output. */
  readonly callId?: string;
  readonly tool?: string;
  readonly object?: string;
}

/** Why an object has no text to show. */
export type Textless = NullReason | "unreachable" | "erased" | "missing";
