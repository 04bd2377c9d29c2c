import type { ContextView, NoteEntry, PartForm, RecalledEntry, ResumedEntry, ViewObject } from "@cm/context-log";
import { defined, nonEmpty } from "@cm/object-model";
import { type BroughtBackNotice, boundedField, escapeForeign, noticeLine } from "@cm/prompt-grammar";
import { limits } from "../../limits.ts";
import { releasedBlock, resumedBlock } from "../note-blocks.ts";
import { cutText, cutWords } from "./cut-text.ts";
import { aliasOf, spansSuffix } from "./log-places.ts";
import { shownSize, sizeOf } from "./output-size.ts";

/** A note as it stands at the end of a result. */
interface NoteText {
  /** All that its text depends on besides the entry. */
  readonly key: string;
  readonly suffix: string;
  /** Called only when the message is made. */
  readonly text: () => string;
}

/**
 * Undefined for a text that was brought back and folded again, since the line in its own call's result stands for it, and
 * for a note that came before any result.
 */
export function noteText(view: ContextView, entry: NoteEntry, form: PartForm): NoteText | undefined {
  if (entry.into < 0) return undefined;
  switch (entry.kind) {
    case "recalled":
      return recalledText(view, entry, form);
    case "resumed":
      return toldText(entry, () => resumedText(view, entry));
    case "released":
      return toldText(entry, () => noticeLine(releasedBlock(entry, (object) => aliasOf(view, object))));
    default:
      // The compiler says here that a new kind of note has no words. An entry that is no note at all has none, either.
      entry satisfies never;
      return undefined;
  }
}

/** Characters of a note in a form, with the line end before it. */
export function noteChars(view: ContextView, entry: NoteEntry, form: PartForm): number {
  const text = noteText(view, entry, form)?.text();
  return text === undefined ? 0 : text.length + 1;
}

function toldText({ kind, at }: NoteEntry, text: () => string): NoteText {
  const suffix = `${kind}@${at}`;
  return { key: suffix, suffix, text };
}

function recalledText(view: ContextView, entry: RecalledEntry, form: PartForm): NoteText | undefined {
  if (form.form === "reference") return undefined;
  const head = noticeLine(broughtBack(view, entry));
  const cut = form.form === "spans" ? cutText(entry.text, form) : undefined;
  const suffix =
    cut === undefined || form.form !== "spans" ? `recalled@${entry.at}` : `recalled@${entry.at}~${spansSuffix(form)}`;
  return {
    key: `${suffix} ${head}`,
    suffix,
    text: () => {
      if (cut === undefined) return `${head}\n${escapeForeign(entry.text)}`;
      return `${head}\n${cutWords(cut, { id: aliasOf(view, entry.object) })}`;
    },
  };
}

function broughtBack(view: ContextView, { object, input, path, text, textless }: RecalledEntry): BroughtBackNotice {
  const call: Partial<ViewObject> = view.objects.get(object) ?? {};
  const { tool = "unknown", argsDisplay = "" } = call;
  return {
    kind: "brought-back",
    ...(path === undefined ? { tool, ...nonEmpty({ target: shortTarget(argsDisplay) }) } : { path }),
    id: boundedField(aliasOf(view, object)),
    size: input === true || path !== undefined ? sizeOf(text) : shownSize(text, call),
    ...defined({ input, partly: textless }),
  };
}

/** The beginning of a command, and of a path the end, which says the most. */
function shortTarget(text: string): string {
  if (text.length <= limits.targetCharsMax) return text;
  const chars = limits.targetCharsMax - 1;
  const isPath = /^\S*[/\\]\S*$/.test(text);
  return (isPath ? `…${text.slice(-chars)}` : `${text.slice(0, chars)}…`).toWellFormed();
}

/** What changed while the session was away, each file named before any of its lines. */
function resumedText(view: ContextView, entry: ResumedEntry): string {
  const {
    checkouts,
    paths = [],
    files,
    unreachable,
    omitted,
    pathsOmitted,
  } = resumedBlock(entry, (object) => aliasOf(view, object));
  return [
    noticeLine({ kind: "resumed" }),
    ...checkouts.map((checkout) => noticeLine({ kind: "resumed-checkout", ...checkout })),
    ...paths.map(({ id, ...path }) =>
      noticeLine(id === undefined ? { kind: "moved-folder", ...path } : { kind: "moved-file", id, ...path }),
    ),
    ...(pathsOmitted === undefined ? [] : [noticeLine({ kind: "moved-omitted", paths: pathsOmitted })]),
    ...files.flatMap(({ diff, hunksOmitted, ...file }) => {
      const more = hunksOmitted === undefined ? {} : { placesOmitted: hunksOmitted };
      return [
        noticeLine({ kind: "resumed-file", ...file, ...more }),
        ...(diff === undefined ? [] : [escapeForeign(diff)]),
      ];
    }),
    ...unreachable.map((file) => noticeLine({ kind: "unreachable", ...file })),
    ...(omitted === undefined ? [] : [noticeLine({ kind: "omitted", files: omitted })]),
  ].join("\n");
}
