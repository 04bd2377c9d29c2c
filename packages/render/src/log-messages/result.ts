import { type ContextView, type PartForm, type PromptMessage, type ResultEntry, sha256 } from "@cm/object-model";
import type { ReferenceBlock } from "../blocks/block.ts";
import { cutOf } from "../blocks/cut-lines.ts";
import { boundedField } from "../blocks/field.ts";
import { referenceText } from "../blocks/lines.ts";
import { resultHead, resultText } from "../blocks/result-lines.ts";
import { changedLines } from "../forms/changed-lines.ts";
import { type CutText, cutText } from "../forms/cut-text.ts";
import { repeatedReminder, sparseText } from "../forms/sparse-result.ts";
import { onceFor } from "../messages/memo.ts";
import { resultMessage } from "../messages/verbatim.ts";
import { piecesAt } from "../names/text-spans.ts";
import { broughtAliases, broughtLines } from "./brought.ts";
import { aliasOf, spansSuffix } from "./part-forms.ts";

/** A tool's output in its form. Where the text is gone, its line says so in every form. */
export function resultInForm(view: ContextView, entry: ResultEntry, form: PartForm): PromptMessage {
  if (entry.text === null) return withoutText(view, entry, form);
  const { text } = entry;
  switch (form.form) {
    case "full":
    case "replaced":
      return shown(view, entry, { suffix: "full", text: () => text });
    case "sparse":
      return shown(view, entry, { suffix: "sparse", text: () => sparseText(text, repeatedReminder(view.log, entry)) });
    case "same": {
      const sameAs = aliasOfPart(view, form.as);
      return ourLine(view, entry, { suffix: `same@${form.as}`, other: sameAs, fields: () => ({ sameAs }) });
    }
    case "diff":
      return diffAgainst(view, entry, form.from);
    case "reference":
      return ourLine(view, entry, {
        suffix: keptSuffix(form),
        fields: () => ({
          chars: text.length,
          ...keptOf(text, form),
        }),
      });
    case "spans": {
      const cut = cutText(text, form);
      if (cut === undefined) return shown(view, entry, { suffix: "full", text: () => text });
      return shown(view, entry, { suffix: spansSuffix(form), text: () => cut.head, cut });
    }
  }
}

type Reference = Extract<PartForm, { form: "reference" }>;

/** Forms are data that nobody changes, and each is asked for many times. */
const suffixes = new WeakMap<Reference, string>();

function keptOf(text: string, form: Extract<PartForm, { form: "reference" }>): Partial<ReferenceBlock> {
  const names = piecesAt(text, form.names ?? []).map(boundedField);
  const lines = piecesAt(text, form.lines ?? []).flatMap((piece) => piece.split("\n"));
  return { ...(names.length === 0 ? {} : { names }), ...(lines.length === 0 ? {} : { lines }) };
}

function keptSuffix(form: Reference): string {
  const { names, lines } = form;
  if (names === undefined && lines === undefined) return "reference";
  const known = suffixes.get(form);
  if (known !== undefined) return known;
  const suffix = `reference@${sha256(JSON.stringify([names, lines])).slice(0, 12)}`;
  suffixes.set(form, suffix);
  return suffix;
}

interface ShownText {
  readonly suffix: string;
  /** Called only when the message is made. */
  readonly text: () => string;
  readonly cut?: CutText;
}

/** One id, one text: where files came with the call their lines are part of both. */
function shown(view: ContextView, entry: ResultEntry, { suffix, text, cut }: ShownText): PromptMessage {
  const alias = boundedField(aliasOf(view, entry.object));
  const head = resultHead(alias, broughtLines(view, entry));
  return onceFor(entry, `${suffix} ${head}`, () => {
    const mark = entry.brought === undefined ? "" : `@${sha256(head).slice(0, 12)}`;
    const shownText = resultText(head, text(), cut && cutOf(cut, alias));
    return resultMessage(entry, { id: `${entry.at}~${suffix}${mark}`, text: shownText });
  });
}

function diffAgainst(view: ContextView, entry: ResultEntry, from: string): PromptMessage {
  const base = view.log[Number(from)];
  const before = base?.kind === "result" || base?.kind === "recalled" ? base.text : null;
  const diffFrom = aliasOfPart(view, from);
  const key = `diff@${from}`;
  return ourLine(view, entry, {
    suffix: before === null ? `${key}~erased` : key,
    other: diffFrom,
    fields: () => ({ diffFrom }),
    diff: () => (before === null ? undefined : changedLines(before, entry.text ?? "")) ?? entry.text ?? "",
  });
}

function withoutText(view: ContextView, entry: ResultEntry, form: PartForm): PromptMessage {
  const state = view.objects.get(entry.object)?.textless ?? "unread";
  const folded = form.form === "full" || form.form === "sparse" ? "" : `${form.form}~`;
  return ourLine(view, entry, { suffix: `${folded}${state}`, fields: () => ({ state }) });
}

interface OurLine {
  readonly suffix: string;
  /** The part that it refers to, by name. */
  readonly other?: string;
  /** Called only when the message is made, as `diff` is. */
  readonly fields: () => Partial<ReferenceBlock>;
  readonly diff?: () => string;
}

function ourLine(view: ContextView, entry: ResultEntry, line: OurLine): PromptMessage {
  const alias = aliasOf(view, entry.object);
  return onceFor(entry, `${line.suffix} ${alias} ${line.other ?? ""}`, () => {
    const diff = line.diff?.();
    const text = referenceText({
      ...referenceOf(view, entry),
      ...line.fields(),
      ...(diff === undefined ? {} : { diff }),
    });
    const folded = line.suffix.startsWith("reference");
    return resultMessage(entry, { id: `${entry.at}~${line.suffix}`, text, folded });
  });
}

/** The call stands right before it, with its tool and what it was about: that is not said again (design 7.5). */
function referenceOf(view: ContextView, entry: ResultEntry): ReferenceBlock {
  const files = broughtAliases(view, entry);
  return {
    kind: "reference",
    callId: entry.callId,
    id: boundedField(aliasOf(view, entry.object)),
    ...(entry.status === "fail" ? { status: entry.status } : {}),
    ...(files === undefined ? {} : { files }),
  };
}

function aliasOfPart(view: ContextView, part: string): string {
  const [at, call] = part.split(".");
  const entry = view.log[Number(at)];
  const shows = entry?.kind === "assistant" ? entry.calls[Number(call)] : entry;
  const object = shows !== undefined && "object" in shows ? shows.object : undefined;
  return object === undefined ? part : boundedField(aliasOf(view, object));
}
