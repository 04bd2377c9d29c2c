import type {
  ContextView,
  LogEntry,
  PartForm,
  PoolSummary,
  ReleasedEntry,
  ResultEntry,
  ResumedEntry,
  TextSpan,
  ViewObject,
} from "@cm/object-model";
import type { Block, Cut, ReferenceBlock, ResultBlock } from "../../src/blocks/block.ts";
import { boundedField } from "../../src/blocks/field.ts";
import { resumedBlock } from "../../src/blocks/resumed-block.ts";
import { changedLines } from "../../src/forms/changed-lines.ts";
import { cutText } from "../../src/forms/cut-text.ts";
import { sparseText } from "../../src/forms/sparse-result.ts";
import { pathArgument, targetOf } from "../../src/forms/target.ts";

/** What a prompt must say, straight from the view and without a look at any rendered text. */
export function expectedSsot(view: ContextView, named: "id" | "alias"): readonly Block[] {
  const nameOf = (id: string): string => boundedField(named === "id" ? id : (view.objects.get(id)?.alias ?? id));
  const inOrder = (set: ReadonlySet<string>): ViewObject[] =>
    [...view.sets.index].filter((id) => set.has(id)).flatMap((id) => view.objects.get(id) ?? []);
  const chat = view.log.flatMap((entry): Block[] => {
    if (entry.kind === "recalled") return [];
    if (entry.kind === "resumed") return [resumedBlock(entry, nameOf)];
    if (entry.kind === "released") return [{ kind: "released", ids: entry.objects.map(nameOf) }];
    if (entry.kind !== "result") return [spoken(entry)];
    const { callId, object, tool, status } = entry;
    return [{ kind: "reference", callId, id: nameOf(object), tool: boundedField(tool), status }];
  });
  const active = inOrder(view.sets.active).map((object): Block => {
    const state = object.textless === undefined ? {} : { state: object.textless };
    return { kind: "active", id: nameOf(object.id), ...state, text: object.text };
  });
  return [
    { kind: "system", text: view.systemPrompt },
    ...inOrder(view.sets.pool).map((object) => poolLine(object, nameOf(object.id))),
    ...chat,
    ...active,
  ];
}

function poolLine(object: ViewObject, id: string): Block {
  const marks = {
    ...(object.redactions === undefined ? {} : { redactions: object.redactions }),
    ...(object.textless === undefined ? {} : { textless: object.textless }),
  };
  if (object.kind === "toolcall") {
    const { tool = "", status = "ok" } = object;
    return { kind: "pool-toolcall", id, tool: boundedField(tool), status, ...marks };
  }
  const { path = "", fileType = "", charCount = 0 } = object;
  return { kind: "pool-file", id, path: boundedField(path), fileType: boundedField(fileType), charCount, ...marks };
}

export function expectedLog(view: ContextView): readonly Block[] {
  const aliasOf = (object: string): string => boundedField(view.objects.get(object)?.alias ?? object);
  const blocks = view.log.map((entry): Block => {
    const form: PartForm = view.forms.get(`${entry.at}`) ?? { form: "full" };
    if (entry.kind === "result") return result(view, entry, form);
    if (entry.kind === "resumed") return resumedBlock(entry, aliasOf);
    if (entry.kind === "released") return { kind: "released", ids: entry.objects.map(aliasOf) };
    if (entry.kind !== "recalled") return spoken(entry, view);
    const id = aliasOf(entry.object);
    if (form.form === "reference") return { kind: "active", id, state: "folded", text: null };
    const state = entry.textless === undefined ? {} : { state: entry.textless };
    return { kind: "active", id, ...state, ...cut(entry.text, form, id) };
  });
  return [
    { kind: "system", text: view.systemPrompt },
    ...(view.summary === undefined ? [] : top(view.summary)),
    ...blocks,
  ];
}

function top({ rows, folders = [] }: PoolSummary): readonly Block[] {
  const objects = rows.map(({ alias, kind, path = "", tool = "", status = "ok", charCount = 0, textless }): Block => {
    const id = boundedField(alias);
    const state = textless === undefined ? {} : { textless };
    if (kind === "toolcall") return { kind: "pool-toolcall", id, tool: boundedField(tool), status, ...state };
    return { kind: "pool-file", id, path: boundedField(path), ...(charCount > 0 ? { charCount } : {}), ...state };
  });
  const more = folders.map(({ path, objects: count }): Block => {
    return { kind: "pool-more", count, ...(path === "" ? {} : { below: boundedField(path) }) };
  });
  return [...objects, ...more];
}

function spoken(entry: Exclude<LogEntry, ResultEntry | ResumedEntry | ReleasedEntry>, view?: ContextView): Block {
  const said = cut(entry.text, view?.forms.get(`${entry.at}`) ?? { form: "full" });
  if (entry.kind !== "assistant") return { kind: "user", ...said };
  const calls = entry.calls.map(({ callId, tool, args, object }, call) => {
    const folded = view?.forms.get(`${entry.at}.${call}`)?.form === "reference" && entry.thinking.length === 0;
    const ref = [view?.objects.get(object ?? "")?.alias ?? "", targetOf(args) ?? []].flat().join(" ");
    return { callId, tool, args: folded ? { ref: ref.toWellFormed() } : args };
  });
  return { kind: "assistant", ...said, calls };
}

function result(view: ContextView, entry: ResultEntry, form: PartForm): Block {
  const { callId, status } = entry;
  const aliasOf = (object: string): string => boundedField(view.objects.get(object)?.alias ?? object);
  const aliasAt = (part: string): string => {
    const other = view.log[Number(part)];
    return other?.kind === "result" ? aliasOf(other.object) : "";
  };
  const line: Block = {
    kind: "reference",
    callId,
    id: aliasOf(entry.object),
    ...(status === "fail" ? { status } : {}),
    ...filesOf(view, entry),
  };
  if (entry.text === null) return { ...line, state: "erased" };
  if (form.form === "same") return { ...line, sameAs: aliasAt(form.as) };
  if (form.form === "diff") {
    const base = view.log[Number(form.from)];
    const before = base?.kind === "result" ? base.text : null;
    const changed = before === null ? undefined : changedLines(before, entry.text);
    return { ...line, diffFrom: aliasAt(form.from), diff: changed ?? entry.text };
  }
  if (form.form === "reference") {
    const { text } = entry;
    const pieces = (spans: readonly TextSpan[]): string[] => spans.map(([start, end]) => text.slice(start, end));
    const names = pieces(form.names ?? []).map(boundedField);
    const lines = pieces(form.lines ?? []).flatMap((piece) => piece.split("\n"));
    const kept = { ...(names.length === 0 ? {} : { names }), ...(lines.length === 0 ? {} : { lines }) };
    return { ...line, chars: text.length, ...kept };
  }
  const id = aliasOf(entry.object);
  const shown = form.form === "sparse" ? { text: sparseText(entry.text, undefined) } : cut(entry.text, form, id);
  return { kind: "result", callId, id, ...broughtOf(entry, aliasOf), ...shown };
}

function cut(text: string, form: PartForm, id?: string): { readonly text: string; readonly cut?: Cut } {
  const ends = form.form === "spans" ? cutText(text, form) : undefined;
  if (ends === undefined) return { text };
  return { text: ends.head, cut: { chars: ends.leftOut, ...(id === undefined ? {} : { id }), tail: ends.tail } };
}

/** At most two files come with a call of these views. */
function broughtOf({ brought, args }: ResultEntry, aliasOf: (object: string) => string): Partial<ResultBlock> {
  if (brought === undefined) return {};
  return {
    brought: brought.map(({ object, path, textless }) => ({
      kind: "pool-file",
      id: aliasOf(object),
      ...(`/${path}`.endsWith(`/${pathArgument(args)?.replace(/^(\.\/)+/, "") ?? "/"}`)
        ? {}
        : { path: boundedField(path) }),
      ...(textless === undefined ? {} : { textless }),
    })),
  };
}

function filesOf(view: ContextView, { brought }: ResultEntry): Partial<ReferenceBlock> {
  if (brought === undefined) return {};
  return { files: boundedField(brought.map(({ object }) => view.objects.get(object)?.alias ?? object).join(",")) };
}
