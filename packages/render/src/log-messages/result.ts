import { type ContextView, type PartForm, type PromptMessage, type ResultEntry, sha256 } from "@cm/object-model";
import type { ReferenceBlock } from "../blocks/block.ts";
import { bodyText, cutOf } from "../blocks/cut-lines.ts";
import { escapeText } from "../blocks/escape.ts";
import { boundedField } from "../blocks/field.ts";
import { referenceText } from "../blocks/lines.ts";
import { changedLines } from "../forms/changed-lines.ts";
import { cutText } from "../forms/cut-text.ts";
import { repeatedReminder, sparseText } from "../forms/sparse-result.ts";
import { targetOf } from "../forms/target.ts";
import { onceFor } from "../messages/memo.ts";
import { resultMessage } from "../messages/verbatim.ts";
import { aliasOf, fullForm, spansSuffix } from "./part-forms.ts";

/** A tool's output in its form. Where the text is gone, its line says so in every form. */
export function resultInForm(view: ContextView, entry: ResultEntry, form: PartForm): PromptMessage {
  if (entry.text === null) return withoutText(view, entry, form);
  const { text } = entry;
  switch (form.form) {
    case "full":
      return onceFor(entry, "escaped", () => shown(entry, escapeText(text)));
    case "sparse": {
      const reminder = repeatedReminder(view.log, entry);
      const key = reminder === undefined ? "sparse" : "sparse without reminder";
      return onceFor(entry, key, () => shown(entry, escapeText(sparseText(text, reminder)), "sparse"));
    }
    case "same": {
      const sameAs = aliasOfPart(view, form.as);
      return ourLine(view, entry, { suffix: `same@${form.as}`, fields: { sameAs } });
    }
    case "diff":
      return diffAgainst(view, entry, form.from);
    case "reference":
      return ourLine(view, entry, {
        suffix: keptSuffix(form),
        fields: {
          chars: text.length,
          ...(form.names === undefined ? {} : { names: form.names.map(boundedField) }),
          ...(form.lines === undefined ? {} : { lines: form.lines }),
        },
      });
    case "spans":
      return cutResult(view, entry, form);
    case "replaced":
      return onceFor(entry, "escaped", () => shown(entry, escapeText(text)));
  }
}

function keptSuffix({ names, lines }: Extract<PartForm, { form: "reference" }>): string {
  if (names === undefined && lines === undefined) return "reference";
  return `reference@${sha256(JSON.stringify([names, lines])).slice(0, 12)}`;
}

/** One id, one text: a text that had to be escaped differs from the verbatim one of layout `plain`. */
function shown(entry: ResultEntry, text: string, form?: "sparse"): PromptMessage {
  const id = form === undefined ? (text === entry.text ? `${entry.at}` : `${entry.at}~escaped`) : `${entry.at}~${form}`;
  return resultMessage(entry, { id, text });
}

function cutResult(view: ContextView, entry: ResultEntry, form: PartForm & { readonly form: "spans" }): PromptMessage {
  const cut = cutText(entry.text ?? "", form);
  if (cut === undefined) return resultInForm(view, entry, fullForm);
  const alias = boundedField(aliasOf(view, entry.object));
  const suffix = spansSuffix(form);
  return onceFor(entry, `${suffix} ${alias}`, () =>
    resultMessage(entry, { id: `${entry.at}~${suffix}`, text: bodyText(cut.head, cutOf(cut, alias)) }),
  );
}

function diffAgainst(view: ContextView, entry: ResultEntry, from: string): PromptMessage {
  const base = view.log[Number(from)];
  const before = base?.kind === "result" || base?.kind === "recalled" ? base.text : null;
  const diffFrom = aliasOfPart(view, from);
  const key = `diff@${from}`;
  return ourLine(view, entry, {
    suffix: before === null ? `${key}~erased` : key,
    fields: { diffFrom },
    diff: () => (before === null ? undefined : changedLines(before, entry.text ?? "")) ?? entry.text ?? "",
  });
}

function withoutText(view: ContextView, entry: ResultEntry, form: PartForm): PromptMessage {
  const state = view.objects.get(entry.object)?.textless ?? "unread";
  const folded = form.form === "full" || form.form === "sparse" ? "" : `${form.form}~`;
  return ourLine(view, entry, { suffix: `${folded}${state}`, fields: { state } });
}

interface OurLine {
  readonly suffix: string;
  readonly fields: Partial<ReferenceBlock>;
  /** Called only when the message is made. */
  readonly diff?: () => string;
}

function ourLine(view: ContextView, entry: ResultEntry, line: OurLine): PromptMessage {
  const alias = aliasOf(view, entry.object);
  const other = line.fields.sameAs ?? line.fields.diffFrom ?? "";
  return onceFor(entry, `${line.suffix} ${alias} ${other}`, () => {
    const diff = line.diff?.();
    const text = referenceText({
      ...referenceOf(entry, alias),
      ...line.fields,
      ...(diff === undefined ? {} : { diff }),
    });
    const folded = line.suffix.startsWith("reference");
    return resultMessage(entry, { id: `${entry.at}~${line.suffix}`, text, folded });
  });
}

function referenceOf(entry: ResultEntry, alias: string): ReferenceBlock {
  const target = targetOf(entry.args);
  return {
    kind: "reference",
    callId: entry.callId,
    id: boundedField(alias),
    tool: boundedField(entry.tool),
    status: entry.status,
    ...(target === undefined ? {} : { target: boundedField(target) }),
  };
}

function aliasOfPart(view: ContextView, part: string): string {
  const entry = view.log[Number(part)];
  const object = entry?.kind === "result" || entry?.kind === "recalled" ? entry.object : undefined;
  return object === undefined ? part : boundedField(aliasOf(view, object));
}
