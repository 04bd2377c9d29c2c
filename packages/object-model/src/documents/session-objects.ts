import * as z from "zod/mini";
import {
  countField,
  idField,
  jsonObjectField,
  nameField,
  sha256Field,
  sourceHashField,
  stepAddressField,
  textField,
} from "./fields.ts";
import { messageField, type StepMessage } from "./messages.ts";
import { isSourceBinding, type SourceBinding } from "./source-binding.ts";

const ids = z.array(idField);
const noText = z.null();

/** SSOT 2.5 `system_prompt`: a new version when its text changes. */
export const systemPromptPayload = z.strictObject({ content: textField, session_ref: idField });

/**
 * The constant-size head of a chat (SSOT 3.8). The SSOT's `turns` and `toolcall_refs` are views over the steps.
 * `chain`: SHA-256 over the previous chain value and the newest step's content hash; it vouches for every step.
 */
export const chatPayload = z.strictObject({
  content: noText,
  session_ref: idField,
  turn_count: countField,
  step_count: countField,
  toolcall_count: countField,
  chain: sha256Field,
  head: z.nullable(stepAddressField),
});

const setChange = z.strictObject({ added: z.optional(ids), removed: z.optional(ids) });

/** What a step changed in the four sets. The index only grows, so it has no `removed`. */
const setChangesField = z.strictObject({
  index: z.optional(z.strictObject({ added: z.optional(ids) })),
  pool: z.optional(setChange),
  active: z.optional(setChange),
  pinned: z.optional(setChange),
  /** Objects the agent asked to be folded next (SSOT 4.4 (7)), under layouts whose active set is what stands in full. */
  dismissed: z.optional(setChange),
  /** Objects the agent asked to see, under those layouts, until they are brought back at the tail. */
  requested: z.optional(setChange),
});
export type SetChanges = z.infer<typeof setChangesField>;

/** File versions that came into a session's sight, and the agent-visible path where it is not the canonical one. */
const observedField = z.array(
  z.strictObject({
    file: idField,
    content_hash: sha256Field,
    display: z.optional(textField),
    /** The file in whose place it stands from here on: the same one, as another client has it (decision 82). */
    succeeds: z.optional(idField),
  }),
);

/** What a session had taken in when it was paused, and no step says yet: the next one does. */
const pendingField = z.strictObject({
  messages: z.optional(z.array(messageField)),
  /** Files that late results touched: the next step looks at them. */
  touches: z.optional(
    z.array(
      z.strictObject({
        source: z.custom<SourceBinding>(isSourceBinding, "expected a source binding"),
        as: z.enum(["read", "edited", "discovered"]),
        start_line: z.optional(z.int().check(z.gte(1))),
        end_line: z.optional(z.int().check(z.gte(1))),
        /** As it was found when the result came, null where it was not there. */
        source_hash: z.optional(z.nullable(sourceHashField)),
      }),
    ),
  ),
  changes: z.optional(setChangesField),
  /** What was found changed, read on request or adopted since the newest step. */
  observed: z.optional(observedField),
  redactions: z.optional(countField),
});

/** The constant-size head of a session (SSOT 3.8). The SSOT's four id sets are views over the steps. */
export const sessionPayload = z.strictObject({
  content: noText,
  chat_ref: idField,
  system_prompt_ref: idField,
  status: z.enum(["active", "paused"]),
  /** The number the next step takes. */
  next_step: countField,
  head: z.nullable(stepAddressField),
  chain: sha256Field,
  index_count: countField,
  pool_count: countField,
  active_count: countField,
  pinned_count: countField,
  keyframe: z.optional(idField),
  forked_from: z.optional(stepAddressField),
  pending: z.optional(pendingField),
});

/** Input and output tokens as the provider reported them. */
const usageField = z.strictObject({
  input: countField,
  output: countField,
  cache_read: countField,
  cache_write: countField,
});

/** A working copy that the session's files lie in (contract `Checkout`). */
const checkoutField = z.strictObject({
  namespace: textField,
  root: textField,
  repository: textField,
  commit: z.optional(nameField),
  branch: z.optional(nameField),
});

const movedPathField = z.strictObject({ was: textField, now: textField, file: z.optional(idField) });

/** What was found when the session was resumed, in the order in which the prompt tells it (SSOT 3.6). */
const resumedField = z.strictObject({
  /** Files that others changed or deleted: the versions that are in sight now. */
  observed: z.optional(observedField),
  unreachable: z.optional(z.array(z.strictObject({ file: idField, reason: nameField }))),
  /** Working copies that are elsewhere, or at another commit; a missing side is one that was not there. */
  checkouts: z.optional(z.array(z.strictObject({ was: z.optional(checkoutField), now: z.optional(checkoutField) }))),
  /** What the paths of files in sight begin with now, by what they began with; with `file` that one alone. */
  paths: z.optional(z.array(movedPathField)),
  /** The agent is told nothing of it. */
  told: z.optional(z.literal(false)),
});

/** A folder that the agent sees under another path than before, or with `file` one file. */
export type MovedPath = Readonly<z.infer<typeof movedPathField>>;

/**
 * What others made of messages, from this request on: each by its place in the log, with what stands in place of which
 * characters of its recorded text; no edits where the recorded text stands again.
 */
const amendedField = z.array(
  z.strictObject({
    at: countField,
    /** Of an answer: the call whose arguments are meant, as canonical JSON; absent for its text. */
    call: z.optional(countField),
    edits: z.array(z.tuple([countField, countField, textField])),
  }),
);
export type Amended = Readonly<z.infer<typeof amendedField>>;

const erasedTextField = z.strictObject({
  /** Its place among the step's messages. */
  message: countField,
  part: z.enum(["text", "thinking", "arguments"]),
});
export type ErasedText = Readonly<z.infer<typeof erasedTextField>>;

/** What was erased of a step that another one replaces since: nothing of it stands there any more. */
const replacesField = z.strictObject({
  /** Of the step as it was written: the session's chain is over this one. */
  content_hash: sha256Field,
  /** In their order. Absent texts were never there. */
  texts: z.array(erasedTextField),
  /** What others had made of texts that were erased went, too. */
  amended: z.optional(z.literal(true)),
});

/** One model request with the tool calls it caused (SSOT 3.8). Immutable, but for what is erased of it. */
const stepFields = z.strictObject({
  content: noText,
  session_ref: idField,
  n: countField,
  parent: z.nullable(stepAddressField),
  /** Only in sessions of before decision 96: the head another writer had set, whose sets are merged here. */
  merged: z.optional(stepAddressField),
  /** Where another writer wrote that session first: the request was made in it, and this step begins its fork. */
  requested_in: z.optional(stepAddressField.shape.session),
  /** Only in the first step after resuming, where something had changed: it stands before the messages. */
  resumed: z.optional(resumedField),
  /** The working copies, where they are others than after the step before. */
  checkouts: z.optional(z.array(checkoutField)),
  amended: z.optional(amendedField),
  /** Messages that came before the request, the answer, and the results that came after it. */
  messages: z.array(messageField),
  turn: countField,
  /** Changes of the sets before the request was assembled, and since. */
  changes_before: z.optional(setChangesField),
  changes: setChangesField,
  /** What the look before the request found changed (SSOT 5.6), and what the step's calls met. */
  observed_before: z.optional(observedField),
  observed: z.optional(observedField),
  /** The layout's name and version, such as `log/10`. */
  layout: nameField,
  /** What the policy decided for this request; the layout's own shape. */
  decision: jsonObjectField,
  /** The committed state that the prompt was assembled from. */
  basis: nameField,
  prompt_hash: sha256Field,
  /** Characters of the prompt, and how many of them stood at its start in the request before. */
  prompt_chars: countField,
  kept_chars: countField,
  /** Where the provider caches only at named places: after how many messages, and what it could serve by them. */
  breakpoints: z.optional(z.array(countField)),
  served_chars: z.optional(countField),
  /** The provider's cache had nothing of this request. */
  cache: z.optional(z.literal("cold")),
  redactions: z.optional(countField),
  usage: z.optional(usageField),
  /** When the request was made, where the cache has a lifetime; and when the step was recorded. Since the epoch. */
  requested_at: z.optional(countField),
  recorded_at: countField,
  /** Content hash of this step's keyframe, where that has a state: so the chain vouches for it. */
  keyframe: z.optional(sha256Field),
  /** Likewise of the document of what stands in the prompt after it. */
  standing: z.optional(sha256Field),
  /** The step whose place it takes, where text of that one was erased (SSOT 2.8). */
  replaces: z.optional(replacesField),
});

export const stepPayload = stepFields.check(
  z.refine(({ messages, replaces }) => replaces === undefined || isBlank(messages, replaces), { path: ["replaces"] }),
);

/** Whether a replacement says of something that it went, each once, in order, and of nothing that stands there. */
function isBlank(messages: readonly StepMessage[], { texts, amended }: z.infer<typeof replacesField>): boolean {
  const names = texts.map(({ message, part }) => `${String(message).padStart(16, "0")} ${part}`);
  const isOrdered = names.every((name, place) => place === 0 || (names[place - 1] ?? "") < name);
  return isOrdered && (amended === true || texts.length > 0) && texts.every((text) => isGone(messages, text));
}

function isGone(messages: readonly StepMessage[], { message: place, part }: ErasedText): boolean {
  const message = messages[place];
  if (message === undefined || message.role === "tool") return false;
  if (part === "text") return message.text === "";
  if (message.role === "user") return false;
  const { thinking, calls = [] } = message;
  if (part === "thinking") return thinking === undefined;
  return calls.length > 0 && calls.every(({ args }) => Object.keys(args ?? {}).length === 0);
}

/**
 * What a session knew at one step, so that a reader need not start at the first (SSOT 3.8): its sets in full, all six or
 * none, or its state, or both.
 */
export const keyframePayload = z.strictObject({
  content: noText,
  session_ref: idField,
  n: countField,
  index: z.optional(ids),
  pool: z.optional(ids),
  active: z.optional(ids),
  pinned: z.optional(ids),
  dismissed: z.optional(ids),
  requested: z.optional(ids),
  /** What the session knew after the step beside its texts, as JSON: what changed since the keyframes before it. */
  state: z.optional(textField),
  /** What the requests since the keyframe before were, without texts, as base64 of deflated JSON. */
  requests: z.optional(textField),
  /** Only in keyframes of before decision 130: what of the state stands in the prompt, see `standingPayload`. */
  standing: z.optional(textField),
  /** The keyframe that the state builds on; absent where it holds everything. */
  before: z.optional(z.strictObject({ ...stepAddressField.shape, content_hash: sha256Field })),
});

/**
 * What stands in the prompt after a step that has a keyframe with a state, without texts, as base64 of deflated JSON: a
 * past prompt is made of it, without the keyframes. A document of its own, since who opens a session reads all keyframes.
 */
export const standingPayload = z.strictObject({
  content: noText,
  session_ref: idField,
  n: countField,
  standing: textField,
});

/** Who writes a session at the moment; a second writer sees it and says so. Times in milliseconds since the epoch. */
export const leasePayload = z.strictObject({
  content: noText,
  session_ref: idField,
  owner: nameField,
  acquired_at: countField,
  expires_at: countField,
  /** Only in leases of before decision 96: the owner asked other writers to let it go first. */
  claim: z.optional(z.literal(true)),
  /**
   * `unfinished`: a bundle is being written into the session, or was and did not come to its end. `continued`: only what
   * another session goes on from came with a bundle, so that the session has no head here.
   */
  bundle: z.optional(z.enum(["unfinished", "continued"])),
});

/** Bytes of an attachment as base64 text, stored once under their SHA-256. */
export const attachmentPayload = z.strictObject({ content: textField, byte_count: countField });

/**
 * What was erased of a file or an attachment before a session that names it, or its whole store, was brought here. Its id is made
 * of what went with its text, so that nothing can stand under that, and prompts and verifications would take it for lost.
 */
export const erasedObjectPayload = z.strictObject({
  content: noText,
  /** Of the versions of a file, in order; none where only the object itself was named. */
  content_hashes: z.array(sha256Field),
});

/**
 * The file that a session was imported from. `content`: its header, as the entries of its parts are
 * written (`journalPartPayload`), or a list of the lines before it and of it; null where nothing but the steps is kept.
 */
export const journalPayload = z.strictObject({
  content: z.nullable(textField),
  session_ref: idField,
  /** The agent whose file it was, such as `pi`. */
  agent: nameField,
  /** Entries of the file that were taken in, and the SHA-256 over them as they stood there. */
  entry_count: countField,
  source_sum: sha256Field,
  part_count: countField,
  /**
   * Where nothing but the steps is kept, for each entry the begin of the SHA-256 up to it and, behind a colon, the number
   * of its step: a file that was written anew is followed from where it still says the same.
   */
  marks: z.optional(textField),
  /** Secrets that were replaced on the way in, in the steps and beside them; absent for none. */
  redactions: z.optional(countField),
  /** The session as the import left it. */
  next_step: countField,
  head: z.nullable(stepAddressField),
});

/** Some entries of such a file, in its order: a line of JSON each, in which a text that a step has is a reference. */
export const journalPartPayload = z.strictObject({
  content: textField,
  session_ref: idField,
  n: countField,
  entry_count: countField,
});

export type ErasedObjectPayload = z.infer<typeof erasedObjectPayload>;
export type JournalPayload = z.infer<typeof journalPayload>;
export type JournalPartPayload = z.infer<typeof journalPartPayload>;
export type ChatPayload = z.infer<typeof chatPayload>;
export type SessionPayload = z.infer<typeof sessionPayload>;
export type SystemPromptPayload = z.infer<typeof systemPromptPayload>;
export type StepPayload = z.infer<typeof stepPayload>;
export type KeyframePayload = z.infer<typeof keyframePayload>;
export type StandingPayload = z.infer<typeof standingPayload>;
export type LeasePayload = z.infer<typeof leasePayload>;
export type AttachmentPayload = z.infer<typeof attachmentPayload>;
