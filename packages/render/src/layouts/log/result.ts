import {
  type ContextView,
  type NoteEntry,
  type PartForm,
  type PromptMessage,
  piecesAt,
  type ResultEntry,
  resultPart,
} from "@cm/context-log";
import { defined, nonEmpty, sha256 } from "@cm/object-model";
import { escapeForeign, type LeftOutNotice, noticeLine } from "@cm/prompt-grammar";
import { parseNumbered } from "@cm/tool-calls";
import { changedLines } from "../changed-lines.ts";
import { memoizedMessage, resultMessage } from "../messages/verbatim.ts";
import { cutText, cutWords } from "./cut-text.ts";
import { aliasOf, logPlaces, spansSuffix } from "./log-places.ts";
import { noteText } from "./notes.ts";
import { outputSize, sizeOf } from "./output-size.ts";
import { pointerKey, pointerText, repeatedReminder, sparseText } from "./shorter-output.ts";

/** What stands in place of an output, or of all of it. */
interface ShownResult {
  /** Names the form, and all that it depends on besides the entry. */
  readonly key: string;
  /** As the message's id says it; undefined for the output as it is. */
  readonly suffix: string | undefined;
  readonly folded?: true;
  /** Called only when the message is made. */
  readonly text: () => string;
}

/** A tool's output in its form, without notes. */
export function resultInForm(view: ContextView, entry: ResultEntry, form: PartForm): PromptMessage {
  return resultWithNotes(view, entry, { formOf: () => form, notes: [] });
}

/** A tool's output in its form, and below it the notes that stand in it. */
export function resultWithNotes(
  view: ContextView,
  entry: ResultEntry,
  { formOf, notes }: { readonly formOf: (part: string) => PartForm; readonly notes: readonly NoteEntry[] },
): PromptMessage {
  const shown = shownIn(view, entry, formOf(resultPart(entry.at)));
  const below = notes.flatMap((note) => noteText(view, note, formOf(resultPart(note.at))) ?? []);
  const above = logPlaces(view).omitted.above(entry.at);
  const around = [...(above === undefined ? [] : [above.key]), ...below.map((note) => note.key)];
  return memoizedMessage(entry, [shown.key, ...around].join(" + "), () => {
    const lines = above === undefined ? [] : [noticeLine(above.notice)];
    const text = [...lines, shown.text(), ...below.map((note) => note.text())].join("\n");
    const named = [...(above === undefined ? [] : [above.key]), ...below.map((note) => note.suffix)];
    const suffixes = [shown.suffix ?? (named.length === 0 ? [] : "full"), ...named].flat();
    return resultMessage(entry, { id: [entry.at, ...suffixes].join("~"), text, folded: shown.folded === true });
  });
}

function shownIn(view: ContextView, entry: ResultEntry, form: PartForm): ShownResult {
  const { text } = entry;
  if (text === null) return withoutOutput(view, entry);
  const id = aliasOf(view, entry.object);
  switch (form.form) {
    case "full":
    case "replaced":
      return wholeText(text);
    case "sparse": {
      // What showed it first may have left the prompt since: then it stands here.
      const reminder = repeatedReminder(view, entry);
      const key = reminder === undefined ? "sparse" : "sparse~reminded";
      return { key, suffix: key, text: () => escapeForeign(sparseText(text, reminder)) };
    }
    case "same":
      return sameText(view, entry, { as: form.as, id });
    case "diff":
      return changedText(view, entry, { from: form.from, id, text });
    case "pointer": {
      const reminder = repeatedReminder(view, entry);
      const suffix = `${pointerKey(view, entry, form)}${reminder === undefined ? "" : "~reminded"}`;
      const facts = { runs: form.runs, id, text, reminder };
      return { key: `${suffix} ${id}`, suffix, text: () => pointerText(view, entry, facts) };
    }
    case "reference":
      return leftOut(entry, form, { id, text });
    case "spans": {
      const cut = cutText(text, form);
      if (cut === undefined) return wholeText(text);
      const suffix = spansSuffix(form);
      return { key: `${suffix} ${id}`, suffix, text: () => cutWords(cut, { id }) };
    }
    default:
      // A session refuses such a decision; who calls policy and renderer by hand gets here.
      form satisfies never;
      throw new RangeError(
        `Part ${entry.at} takes a form that does not exist: \`PartForm\` of @cm/context-log has all.`,
      );
  }
}

/** One id, one text: where something had to be escaped the id says so. */
function wholeText(text: string): ShownResult {
  const escaped = escapeForeign(text);
  return escaped === text
    ? { key: "verbatim", suffix: undefined, text: () => text }
    : { key: "escaped", suffix: "escaped", text: () => escaped };
}

function withoutOutput(view: ContextView, { object, status }: ResultEntry): ShownResult {
  const textless = view.objects.get(object)?.textless;
  const isGone = textless === "erased" || textless === "missing";
  const why = isGone ? textless : status === "fail" ? "interrupted" : "unknown";
  return { key: why, suffix: why, text: () => noticeLine({ kind: "no-output", why }) };
}

function sameText(
  view: ContextView,
  entry: ResultEntry,
  { as, id }: { readonly as: string; readonly id: string },
): ShownResult {
  if (as.includes(".")) {
    const suffix = `same@${as}`;
    return { key: `${suffix} ${id}`, suffix, text: () => repeatedArguments(entry.text ?? "", id) };
  }
  const callsAbove = logPlaces(view).callsAbove(as, entry.at);
  const suffix = `same@${as}.${callsAbove}`;
  return {
    key: `${suffix} ${id}`,
    suffix,
    text: () => noticeLine({ kind: "same-text", ...outputSize(entry), id, callsAbove }),
  };
}

/** What the tool says of its own stays: the first line, and what follows numbered lines. */
function repeatedArguments(text: string, id: string): string {
  const start = text.indexOf("\n") + 1;
  const shown = text.slice(start);
  const tail = parseNumbered(shown)?.tail ?? "";
  const repeated = tail.trim() === "" ? shown : shown.slice(0, shown.length - tail.length);
  const line = noticeLine({ kind: "repeated-arguments", size: sizeOf(repeated), id });
  const [above, below] = [text.slice(0, Math.max(0, start - 1)), tail.trim()].map(escapeForeign);
  return [above, line, below].filter((said) => said !== "").join("\n");
}

function changedText(
  view: ContextView,
  entry: ResultEntry,
  { from, id, text }: { readonly from: string; readonly id: string; readonly text: string },
): ShownResult {
  const base = view.log[Number(from)];
  const before = base?.kind === "result" ? base.text : null;
  const key = `diff@${from}`;
  // What was compared with is gone for good: the text stands whole.
  if (before === null) return { key: `${key}~erased`, suffix: `${key}~erased`, text: () => escapeForeign(text) };
  const callsAbove = logPlaces(view).callsAbove(from, entry.at);
  const suffix = `${key}.${callsAbove}`;
  return {
    key: `${suffix} ${id}`,
    suffix,
    text: () => {
      const lines = changedLines(before, text);
      if (lines === undefined) return escapeForeign(text);
      const line = noticeLine({ kind: "changed-lines", ...outputSize(entry), id, callsAbove });
      return `${line}\n${escapeForeign(lines)}`;
    },
  };
}

type Reference = Extract<PartForm, { form: "reference" }>;

function leftOut(
  entry: ResultEntry,
  form: Reference,
  { id, text }: { readonly id: string; readonly text: string },
): ShownResult {
  const suffix = keptSuffix(form);
  return {
    key: `${suffix} ${id}`,
    suffix,
    folded: true,
    text: () => {
      const words = piecesAt(text, form.names ?? []);
      const lines = piecesAt(text, form.lines ?? []).flatMap((piece) => piece.split("\n"));
      const notice: LeftOutNotice = {
        kind: "left-out",
        ...outputSize(entry),
        id,
        ...(entry.attachments.length === 0 ? {} : { attachments: entry.attachments.length }),
        ...(entry.status === "fail" ? { failed: true } : {}),
        ...defined({ since: form.file, linesBelow: lines.length || undefined }),
        ...nonEmpty({ words }),
      };
      return [noticeLine(notice), ...lines.map(escapeForeign)].join("\n");
    },
  };
}

/** Forms are data that never change, and each is asked for many times. */
const suffixes = new WeakMap<Reference, string>();

function keptSuffix(form: Reference): string {
  const { names, lines, file } = form;
  if (names === undefined && lines === undefined && file === undefined) return "reference";
  const known = suffixes.get(form);
  if (known !== undefined) return known;
  const suffix = `reference@${sha256(JSON.stringify([names, lines, file])).slice(0, 12)}`;
  suffixes.set(form, suffix);
  return suffix;
}
