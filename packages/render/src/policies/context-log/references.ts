import { basesOf, type ContextView, type PartForm, spansOf } from "@cm/context-log";
import { defined } from "@cm/object-model";
import { parseNumbered, toolAction } from "@cm/tool-calls";
import { fullForm } from "../../layouts/log/log-places.ts";
import { resultInForm } from "../../layouts/log/result.ts";
import { folderBefore, isAbsolute, namesItself } from "../log-index/file-names.ts";
import { partsOf } from "../log-index/log-parts.ts";
import { type Part, worthRewriting } from "../log-index/part.ts";
import { type KeptNames, keptNames } from "../names/kept-names.ts";
import type { NamesInView } from "../names/names-in-view.ts";
import { isMember } from "./estimate.ts";
import type { Fold } from "./fold.ts";

export interface ReferenceFacts {
  /** Forms of parts that are new in this request. */
  readonly begins: ReadonlyMap<string, PartForm>;
  readonly names: NamesInView;
  /** Only short lists: the guard refused the fold with what a reference usually keeps. */
  readonly isTight?: boolean;
}

/** The forms that a fold begins. */
export type References = (view: ContextView, fold: Fold, facts: ReferenceFacts) => ReadonlyMap<string, PartForm>;

/** Which names of a text, and which of its lines, stand beside its reference. */
export type Keep = (
  text: string,
  facts: {
    readonly fresh: readonly string[];
    readonly failures: boolean;
    readonly isTight: boolean;
    /** The part whose lines may stand. */
    readonly body: string;
  },
) => KeptNames;

/** References alone, and edits without what they replaced. */
export const bareReferences = (view: ContextView, { parts, shortened }: Fold): Map<string, PartForm> =>
  new Map<string, PartForm>([
    ...parts.map((part) => [part.key, bareForm(view, part)] as const),
    ...shortened.map(({ key }) => [key, { form: "replaced" }] as const),
  ]);

/** Of a text whose fold the guard refused otherwise: names alone, and in half the room. */
const tightShare = 0.1;

const namesAndLines: Keep = (text, { isTight, ...facts }) =>
  keptNames(text, isTight ? { ...facts, lines: false, share: tightShare } : { ...facts, lines: true });

/**
 * A fold takes text out of view, but no names: those that would stand nowhere else stay beside the reference, of the newest
 * text first. A text that would hardly be shorter so is left as it is.
 */
export const referencesWith =
  (keep: Keep = namesAndLines): References =>
  (view, fold, { begins, names, isTight = false }) => {
    const forms = bareReferences(view, fold);
    names.try(view, new Map([...begins, ...forms]));
    for (const part of fold.parts.toReversed()) {
      const form = formWithNames(view, part, { fresh: () => names.freshOf(view, part.at, begins), isTight, keep });
      if (form === undefined) continue;
      const stands = begins.get(part.key) ?? view.forms.get(part.key) ?? fullForm;
      const isShorter = charsOf(view, part, form) + worthRewriting <= charsOf(view, part, stands);
      if (isShorter) forms.set(part.key, form);
      // What points at another text would point at nothing.
      else if (basesOf(stands).length === 0) forms.delete(part.key);
      names.try(view, new Map([[part.key, forms.get(part.key) ?? stands]]));
    }
    return forms;
  };

/** Undefined where the bare reference is enough. */
function formWithNames(
  view: ContextView,
  part: Part,
  { fresh, isTight, keep }: { readonly fresh: () => readonly string[]; readonly isTight: boolean; readonly keep: Keep },
): PartForm | undefined {
  const entry = view.log[part.at];
  // What the agent dismissed leaves no words behind (T3).
  if (isMember(view, "dismissed", part)) return undefined;
  if (part.isArgs || entry?.kind !== "result" || entry.text === null) return undefined;
  const isRead = part.class === "read";
  const body = isRead ? linesOfFile(entry.text) : entry.text;
  const kept = keep(entry.text, { fresh: fresh(), failures: !isRead, isTight, body });
  if (kept.names === undefined && kept.lines === undefined) return undefined;
  return {
    ...bareForm(view, part),
    ...defined({
      names: kept.names && spansOf(entry.text, kept.names),
      lines: kept.lines && spansOf(entry.text, kept.lines),
    }),
  };
}

/** What a tool or a harness says around numbered lines is none of the lines that the reference counts. */
function linesOfFile(text: string): string {
  const numbered = parseNumbered(text);
  return numbered === undefined ? text : text.slice(numbered.opening.length, text.length - numbered.tail.length);
}

/** A text that was read says what became of its file, as far as that is known and stays true. */
function bareForm(view: ContextView, part: Part): Extract<PartForm, { form: "reference" }> {
  const file = part.class === "read" ? fileSince(view, part) : undefined;
  return { form: "reference", ...defined({ file }) };
}

function fileSince(view: ContextView, { at, file }: Part): "changed" | "unchanged" | undefined {
  const editedAt = file === undefined ? -1 : (partsOf(view).touches[file]?.editedAt ?? -1);
  if (editedAt > at) return "changed";
  const entry = view.log[at];
  const [span, ...others] = entry?.kind === "result" ? entry.spans : [];
  if (span?.content_hash === undefined || others.length > 0) return undefined;
  const now = view.objects.get(span.file);
  if (now?.textless === "deleted") return "changed";
  if (now?.contentHash === undefined || now.textless !== undefined) return undefined;
  if (now.contentHash !== span.content_hash) return "changed";
  return isReadThroughLink(view, at, now.path) || isReadBesideCommands(view, at) ? undefined : "unchanged";
}

/** The link may lead elsewhere by now: what is known is known of the file. */
function isReadThroughLink(view: ContextView, at: number, path: string | undefined): boolean {
  const entry = view.log[at];
  const action = entry?.kind === "result" ? toolAction(entry.tool, entry.args, entry) : undefined;
  if (action === undefined || action.does === "other" || path === undefined) return false;
  if (!namesItself(action.path, path)) return true;
  if (isAbsolute.test(action.path)) return false;
  // `a.ts` may be a link to `lib/a.ts`, or a file of that folder.
  const folder = folderBefore(path, action.path);
  return folder !== undefined && folder !== workFolderOf(view);
}

const workFolders = new WeakMap<ContextView, string | undefined>();

/** Asked once for each request: a fold has many parts. */
function workFolderOf(view: ContextView): string | undefined {
  if (!workFolders.has(view)) {
    workFolders.set(
      view,
      partsOf(view).files.workFolder((id) => view.objects.get(id)?.path),
    );
  }
  return workFolders.get(view);
}

/** Files are looked at behind all calls of an answer: what a command among them changed counts as what was read. */
function isReadBesideCommands(view: ContextView, at: number): boolean {
  const step = view.log[at]?.step;
  const mayChangeFiles = (place: number): boolean => {
    const entry = view.log[place];
    if (entry?.kind !== "result") return false;
    const action = toolAction(entry.tool, entry.args);
    return action.does === "other" && (action.what === "command" || action.what === "unknown");
  };
  for (let place = at - 1; view.log[place]?.step === step; place -= 1) if (mayChangeFiles(place)) return true;
  for (let place = at + 1; view.log[place]?.step === step; place += 1) if (mayChangeFiles(place)) return true;
  return false;
}

function charsOf(view: ContextView, { at }: Part, form: PartForm): number {
  const entry = view.log[at];
  return entry?.kind === "result" ? resultInForm(view, entry, form).chars : 0;
}
