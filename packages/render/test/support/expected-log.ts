import type {
  AssistantEntry,
  ContextView,
  NoteEntry,
  PartForm,
  RepeatedRun,
  ResultEntry,
  TextSpan,
  UserEntry,
} from "@cm/context-log";
import { type Block, boundedField, type Notice, type NoticeBlock, type TextSize } from "@cm/prompt-grammar";
import { textLines, toolAction } from "@cm/tool-calls";
import { changedLines } from "../../src/layouts/changed-lines.ts";
import { cutArgs, cutText } from "../../src/layouts/log/cut-text.ts";
import { savedByArgs } from "../../src/layouts/log/log-message.ts";
import { sparseText } from "../../src/layouts/log/shorter-output.ts";
import { resumedBlock } from "../../src/layouts/note-blocks.ts";

/** What a prompt of layout `log` must say, straight from the view and without a look at any rendered text. */
export function expectedLog(view: ContextView): readonly Block[] {
  const notes = view.log.flatMap((entry) => ("into" in entry ? [entry] : []));
  const blocks = view.log.flatMap((entry): readonly Block[] => {
    if (entry.kind === "user") return said(view, entry);
    if (entry.kind === "assistant") return said(view, entry);
    if (entry.kind !== "result") return [];
    const own = notes.filter(({ into }) => into === entry.at).flatMap((note) => noteBlocks(view, note));
    return [...resultBlocks(view, entry), ...own.map((block) => ({ ...block, callId: entry.callId }))];
  });
  return [{ kind: "system", text: view.systemPrompt }, ...blocks];
}

const aliasIn = (view: ContextView, object: string): string => boundedField(view.objects.get(object)?.alias ?? object);

function said(view: ContextView, entry: UserEntry | AssistantEntry): readonly Block[] {
  const form: PartForm = view.forms.get(`${entry.at}`) ?? { form: "full" };
  const cut = form.form === "spans" ? cutText(entry.text, form) : undefined;
  const text = cut?.head ?? entry.text;
  const rest = cut === undefined ? [] : [between(cut, `turn${entry.turn + 1}`)];
  if (entry.kind === "user") return [{ kind: "user", text }, ...rest];
  const calls = entry.calls.map(({ callId, tool, args, object }, call) => {
    const isFolded = view.forms.get(`${entry.at}.${call}`)?.form === "reference";
    const name = object === undefined ? `turn${entry.turn + 1}` : `${view.objects.get(object)?.alias ?? object}.input`;
    const shorter = cutArgs(args, name);
    return { callId, tool, args: isFolded && savedByArgs(args, shorter) > 0 ? shorter : args };
  });
  return [{ kind: "assistant", text, calls }, ...rest];
}

function between({ leftOut, tail }: { leftOut: number; tail: string }, id?: string): NoticeBlock {
  const notice: Notice = { kind: "cut", chars: leftOut, ...(id === undefined ? {} : { id }) };
  return { kind: "notice", notice, text: tail };
}

function resultBlocks(view: ContextView, entry: ResultEntry): readonly Block[] {
  const { callId, text } = entry;
  const form: PartForm = view.forms.get(`${entry.at}`) ?? { form: "full" };
  const id = aliasIn(view, entry.object);
  const notice = (one: Notice, below?: string): NoticeBlock => ({
    kind: "notice",
    callId,
    notice: one,
    ...(below === undefined ? {} : { text: below }),
  });
  if (text === null) return [notice({ kind: "no-output", why: "erased" })];
  const size = outputSize(entry, text);
  const calls = (from: string): number =>
    view.log.slice(Number(from) + 1, entry.at + 1).filter(({ kind }) => kind === "result").length;
  switch (form.form) {
    case "same":
      return [notice({ kind: "same-text", ...size, id, callsAbove: calls(form.as) })];
    case "diff": {
      const base = view.log[Number(form.from)];
      const before = base?.kind === "result" ? base.text : null;
      const lines = before === null ? undefined : changedLines(before, text);
      if (lines === undefined) return [{ kind: "result", callId, text }];
      return [notice({ kind: "changed-lines", ...size, id, callsAbove: calls(form.from) }, lines)];
    }
    case "pointer":
      return pointerBlocks(view, entry, { ...form, id, text });
    case "reference": {
      const pieces = (spans: readonly TextSpan[] = []): string[] => spans.map(([start, end]) => text.slice(start, end));
      const words = pieces(form.names).map(boundedField);
      const lines = pieces(form.lines).flatMap((piece) => piece.split("\n"));
      return [
        notice(
          {
            kind: "left-out",
            ...size,
            id,
            ...(entry.status === "fail" ? { failed: true } : {}),
            ...(form.file === undefined ? {} : { since: form.file }),
            ...(lines.length === 0 ? {} : { linesBelow: lines.length }),
            ...(words.length === 0 ? {} : { words }),
          },
          lines.length === 0 ? undefined : lines.join("\n"),
        ),
      ];
    }
    case "sparse":
      return [{ kind: "result", callId, text: sparseText(text, undefined) }];
    case "spans": {
      const cut = cutText(text, form);
      if (cut === undefined) return [{ kind: "result", callId, text }];
      return [
        { kind: "result", callId, text: cut.head },
        { ...between(cut, id), callId },
      ];
    }
    default:
      return [{ kind: "result", callId, text }];
  }
}

/** Each run is a line of ours, with what stands up to the next one below it. */
function pointerBlocks(
  view: ContextView,
  { at, callId }: ResultEntry,
  { runs, id, text }: { readonly runs: readonly RepeatedRun[]; readonly id: string; readonly text: string },
): readonly Block[] {
  const lines = textLines(text);
  const sparse = sparseText(text, undefined).split("\n");
  const known = runs.filter((run) => {
    const base = view.log[Number(run.in)];
    return base?.kind === "result" && base.text !== null && run.line + run.count <= lines.length;
  });
  const below = (from: number, to: number): { text?: string } => {
    const [, ...others] = sparse.slice(from, to);
    return from === to ? {} : { text: [from === 0 ? sparse[0] : lines[from]?.whole, ...others].join("\n") };
  };
  const first = below(0, known[0]?.line ?? lines.length);
  return [
    ...(first.text === undefined ? [] : [{ kind: "result", callId, text: first.text } as const]),
    ...known.map((run, index): NoticeBlock => {
      const base = view.log[Number(run.in)];
      const inBase = textLines(base?.kind === "result" ? (base.text ?? "") : "");
      const endsBehindBreak = lines.length > 1 && run.line + run.count === lines.length && text.endsWith("\n");
      const count = endsBehindBreak && run.count > 1 ? run.count - 1 : run.count;
      const range = (from: number) => ({ from, to: from + count - 1 });
      const notice: Notice = {
        kind: "same-lines",
        same: range(inBase[run.from]?.number ?? run.from + 1),
        where: "output",
        callsAbove: view.log.slice(Number(run.in) + 1, at + 1).filter(({ kind }) => kind === "result").length,
        id,
      };
      return { kind: "notice", callId, notice, ...below(run.line + run.count, known[index + 1]?.line ?? lines.length) };
    }),
  ];
}

function noteBlocks(view: ContextView, note: NoteEntry): readonly NoticeBlock[] {
  if (note.kind === "released") {
    return [{ kind: "notice", notice: { kind: "released", ids: note.objects.map((object) => aliasIn(view, object)) } }];
  }
  if (note.kind === "resumed") {
    const { checkouts, paths = [], files, unreachable } = resumedBlock(note, (object) => aliasIn(view, object));
    const one = (notice: Notice, text?: string): NoticeBlock => ({
      kind: "notice",
      notice,
      ...(text === undefined ? {} : { text }),
    });
    return [
      one({ kind: "resumed" }),
      ...checkouts.map((checkout) => one({ kind: "resumed-checkout", ...checkout })),
      ...paths.map(({ id, ...path }) =>
        one(id === undefined ? { kind: "moved-folder", ...path } : { kind: "moved-file", id, ...path }),
      ),
      ...files.map(({ diff, hunksOmitted, ...file }) =>
        one(
          {
            kind: "resumed-file",
            ...file,
            ...(hunksOmitted === undefined ? {} : { placesOmitted: hunksOmitted }),
          },
          diff,
        ),
      ),
      ...unreachable.map((file) => one({ kind: "unreachable", ...file })),
    ];
  }
  if (note.kind !== "recalled") {
    // The compiler says here that a new kind of note is not expected.
    note satisfies never;
    return [];
  }
  const form: PartForm = view.forms.get(`${note.at}`) ?? { form: "full" };
  if (form.form === "reference") return [];
  const id = aliasIn(view, note.object);
  const { tool = "unknown" } = view.objects.get(note.object) ?? {};
  const notice: Notice = {
    kind: "brought-back",
    ...(note.path === undefined ? { tool: boundedField(tool) } : { path: boundedField(note.path) }),
    id,
    size: sizeOf(note.text),
    ...(note.textless === undefined ? {} : { partly: note.textless }),
  };
  const cut = form.form === "spans" ? cutText(note.text, form) : undefined;
  if (cut === undefined) return [{ kind: "notice", notice, text: note.text }];
  return [{ kind: "notice", notice, text: cut.head }, between(cut, id)];
}

function outputSize(entry: ResultEntry, text: string): { readonly size: TextSize; readonly file?: string } {
  const action = toolAction(entry.tool, entry.args, entry);
  if (action.does !== "read" || action.failed === true || entry.attachments.length > 0) return { size: sizeOf(text) };
  const base = action.path.split(/[/\\]/).at(-1) ?? "";
  return { size: sizeOf(text), ...(base === "" ? {} : { file: boundedField(base) }) };
}

function sizeOf(text: string): TextSize {
  const lines = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
  return lines > 1 ? { lines } : { chars: text.length };
}
