import type { ContextView, LogEntry, PartForm, ResultEntry } from "@cm/object-model";
import { parseNumbered } from "../../forms/numbered-text.ts";
import { resultInForm } from "../../log-messages/result.ts";
import type { LogParts, Part } from "./parts.ts";

/** Shorter texts are left as they are: a reference would save little and cost the reader a look back. */
const sameCharsMin = 200;
const diffCharsMin = 800;
/** A diff must be shorter than this share of the text. */
const diffShareMax = 0.6;
/** How many earlier reads of the file are looked at, newest first. */
const earlierReadsMax = 4;

/**
 * Forms of results that stand in a request for the first time (context-log, "On arrival" 1 to 3). Nothing was sent yet,
 * so shortening breaks no prefix and costs nothing.
 */
export function arrivalForms(view: ContextView, log: LogParts): ReadonlyMap<string, PartForm> {
  const forms = new Map<string, PartForm>();
  for (let place = log.parts.length - 1; place >= 0; place -= 1) {
    const part = log.parts[place];
    if (part === undefined || part.step < view.step) break;
    const entry = view.log[part.at];
    if (part.class !== "read" || entry?.kind !== "result" || view.forms.has(part.key)) continue;
    const form = arrivalForm(view, log, { part, entry });
    if (form !== undefined) forms.set(part.key, form);
  }
  return forms;
}

interface Arrival {
  readonly part: Part;
  readonly entry: ResultEntry;
}

function arrivalForm(view: ContextView, log: LogParts, arrival: Arrival): PartForm | undefined {
  const { part, entry } = arrival;
  const earlier = entry.attachments.length > 0 ? [] : earlierReads(view, log, part);
  const candidates: PartForm[] = [];
  const shows = part.chars < sameCharsMin ? undefined : earlier.find((read) => holds(read.text, entry.text ?? ""));
  if (shows !== undefined) candidates.push({ form: "same", as: shows.part.key });
  const [newest] = earlier;
  if (newest !== undefined && part.chars > diffCharsMin) candidates.push({ form: "diff", from: newest.part.key });
  candidates.push({ form: "sparse" });
  return candidates.find((form) => resultInForm(view, entry, form).chars < bound(form, part.chars));
}

const bound = (form: PartForm, chars: number): number => (form.form === "diff" ? diffShareMax * chars : chars);

interface EarlierRead {
  readonly part: Part;
  readonly text: string;
}

/** Reads of the same file that stand in view with their text, newest first. */
function earlierReads(view: ContextView, log: LogParts, part: Part): readonly EarlierRead[] {
  const parts = part.file === undefined ? [] : log.touchOf(part.file).parts;
  const reads: EarlierRead[] = [];
  for (let place = parts.length - 1; place >= 0 && reads.length < earlierReadsMax; place -= 1) {
    const earlier = parts[place];
    if (earlier === undefined || earlier.at >= part.at || !standsWhole(view, earlier)) continue;
    const text = textOf(view.log[earlier.at]);
    if (text !== null) reads.push({ part: earlier, text });
  }
  return reads;
}

/** New parts of the same request count as not yet decided, so that a reference never points at a reference. */
function standsWhole(view: ContextView, part: Part): boolean {
  const form = view.forms.get(part.key)?.form;
  const dismissed = part.object !== undefined && view.sets.dismissed.has(part.object);
  return !dismissed && part.step < view.step && (form === undefined || form === "sparse");
}

/** Whether a text holds another one as whole lines, line numbers aside. */
function holds(text: string, part: string): boolean {
  const body = `\n${bodyOf(text)}\n`;
  return body.includes(`\n${bodyOf(part)}\n`);
}

const bodyOf = (text: string): string => (parseNumbered(text)?.body ?? text).replace(/\n$/, "");

function textOf(entry: LogEntry | undefined): string | null {
  return entry?.kind === "result" || entry?.kind === "recalled" ? entry.text : null;
}
