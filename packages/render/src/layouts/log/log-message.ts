import {
  type AssistantEntry,
  argsPart,
  type ContextView,
  isNote,
  type LogEntry,
  type NoteEntry,
  type PartForm,
  type PromptMessage,
  resultPart,
  type UserEntry,
} from "@cm/context-log";
import { defined, type JsonObject } from "@cm/object-model";
import { escapeForeign, noticeLine } from "@cm/prompt-grammar";
import { argsChars } from "../messages/content.ts";
import { assistantMessage, memoizedMessage, verbatimMessage } from "../messages/verbatim.ts";
import { cutArgs, cutText, cutWhole, cutWords, withoutReplaced } from "./cut-text.ts";
import { aliasOf, logPlaces, spansSuffix } from "./log-places.ts";
import { resultWithNotes } from "./result.ts";

/** The message of an entry whose parts stand in these forms; undefined for a note, which stands in a result, and for what left the prompt. */
export function logMessage(
  view: ContextView,
  entry: LogEntry,
  { formOf, notes }: { readonly formOf: (part: string) => PartForm; readonly notes: readonly NoteEntry[] },
): PromptMessage | undefined {
  if (isNote(entry) || entry.kind === "omitted") return undefined;
  switch (entry.kind) {
    case "user":
      return userInForm(view, entry, formOf(resultPart(entry.at)), toTheLetter);
    case "assistant":
      return assistantInForms(view, entry, formOf);
    case "result":
      return resultWithNotes(view, entry, { formOf, notes });
    default:
      // The compiler says here that a new kind of entry has no message.
      entry satisfies never;
      return undefined;
  }
}

/** The turn in which all of the words can be read, as people count, and as the line on turns that left has it. */
const turnOf = ({ turn }: LogEntry): string => `turn${turn + 1}`;

/**
 * Arguments are only cut where that saves so much, in characters: a model takes what it reads of its calls for an example.
 * Less brings nothing: 100 and 50 were tried (decision 122).
 */
const savedArgsCharsMin = 200;

/** What cut arguments save; 0 where they are not cut for that. */
export function savedByArgs(args: JsonObject, shorter: JsonObject): number {
  const saved = argsChars(args) - argsChars(shorter);
  return saved < savedArgsCharsMin ? 0 : saved;
}

/**
 * An assistant message with the arguments of some calls shortened or its text cut; calls, ids and order stay. Thinking
 * and its signature bind a message to its bytes, so it goes with what is shortened: turns that are over, whose thinking
 * providers do without, and the newest calls where no window has room for them.
 */
export function assistantInForms(
  view: ContextView,
  entry: AssistantEntry,
  formOf: (part: string) => PartForm,
): PromptMessage {
  const text = textInForm(entry, formOf(resultPart(entry.at)));
  const shortened = entry.calls.map(({ object, args }, call): ShortArgs | undefined => {
    const form = argsForm(formOf(argsPart(entry.at, call)));
    if (form === undefined) return undefined;
    const short = { form, name: argsName(view, entry, object) };
    return savedByArgs(args, argsInForm(args, short)) > 0 ? short : undefined;
  });
  if (text === undefined && shortened.every((short) => short === undefined)) return assistantMessage(entry);
  const key = `${text?.suffix ?? ""} args ${JSON.stringify(shortened)}`;
  return memoizedMessage(entry, key, () => inForms(entry, text, shortened));
}

interface ShortArgs {
  readonly form: "reference" | "replaced" | "whole";
  readonly name: string;
}

/** What brings the arguments of a call back: as long as it has no result, the turn says what it was. */
export const argsName = (view: ContextView, entry: LogEntry, object: string | undefined): string =>
  object === undefined ? turnOf(entry) : `${aliasOf(view, object)}.input`;

function argsForm(form: PartForm): ShortArgs["form"] | undefined {
  if (form.form === "reference") return form.whole === true ? "whole" : "reference";
  return form.form === "replaced" ? "replaced" : undefined;
}

/** How a message's id says what became of a call's arguments. */
const argsSuffixes = { reference: "", replaced: "r", whole: "w" } as const;

const argsCuts = { reference: cutArgs, replaced: withoutReplaced, whole: cutWhole } as const;

const argsInForm = (args: JsonObject, { form, name }: ShortArgs): JsonObject => argsCuts[form](args, name);

interface ShortText {
  readonly suffix: string;
  readonly text: string;
}

/** Where the text is cut, or the message stands without its thinking for it. */
function textInForm(entry: AssistantEntry, form: PartForm): ShortText | undefined {
  if (form.form !== "spans") return undefined;
  const cut = cutText(entry.text, form);
  if (cut === undefined && entry.thinking.length === 0) return undefined;
  const text = cut === undefined ? escapeForeign(entry.text) : cutWords(cut, { id: turnOf(entry) });
  return { suffix: spansSuffix(form), text };
}

function inForms(
  entry: AssistantEntry,
  short: ShortText | undefined,
  shortened: readonly (ShortArgs | undefined)[],
): PromptMessage {
  const { thinking: _thinking, ...whole } = assistantMessage(entry);
  const { text } = short ?? entry;
  const calls = whole.calls?.map((call, place) => {
    const args = shortened[place];
    return args === undefined ? call : { ...call, args: argsInForm(call.args, args) };
  });
  const folded = shortened.flatMap((args, call) => (args === undefined ? [] : `${call}${argsSuffixes[args.form]}`));
  const suffixes = [
    ...(short === undefined ? [] : [short.suffix]),
    ...(folded.length === 0 ? [] : [`args@${folded.join(",")}`]),
  ];
  return {
    ...whole,
    ...defined({ calls }),
    id: [entry.at, ...suffixes].join("~"),
    text,
    chars: (calls ?? []).reduce((sum, call) => sum + argsChars(call.args), text.length),
  };
}

/** How a layout shows what the user said. */
export interface SaidText {
  readonly whole: (entry: UserEntry) => PromptMessage;
  readonly escaped: (text: string) => string;
  /** Where it escapes, what a cut message's id says of that. */
  readonly mark?: string;
}

const toTheLetter: SaidText = { whole: verbatimMessage, escaped: (text) => text };

/**
 * What the user said, whole; cut in its middle and without attachments only where a window forces it. Above it stands what
 * left the prompt, where no result is nearer.
 */
export function userInForm(view: ContextView, entry: UserEntry, form: PartForm, said: SaidText): PromptMessage {
  const message = saidInForm(entry, form, said);
  const above = logPlaces(view).omitted.above(entry.at);
  if (above === undefined) return message;
  const id = `${message.id}~${above.key}`;
  return memoizedMessage(entry, id, () => {
    const text = `${noticeLine(above.notice)}\n${message.text}`;
    return { ...message, id, text, chars: text.length };
  });
}

function saidInForm(entry: UserEntry, form: PartForm, { whole, escaped, mark = "" }: SaidText): PromptMessage {
  const attachments = entry.attachments.length;
  if (form.form !== "spans") return whole(entry);
  const cut = cutText(entry.text, form);
  if (cut === undefined && attachments === 0) return whole(entry);
  const suffix = `${mark}${spansSuffix(form)}`;
  return memoizedMessage(entry, suffix, () => {
    const { head, tail, leftOut } = cut ?? { head: entry.text, tail: "", leftOut: 0 };
    const ends = { head: escaped(head), tail: escaped(tail), leftOut };
    // Nothing brings its attachments back.
    const id = leftOut === 0 ? undefined : turnOf(entry);
    const text = cutWords(ends, defined({ id, attachments: attachments || undefined }));
    return { id: `${entry.at}~${suffix}`, role: "user", text, chars: text.length };
  });
}
