import type { ContextView, PartForm, ResultEntry } from "@cm/context-log";
import { parseNumbered } from "../../forms/numbered-text.ts";
import { limits } from "../../limits.ts";
import { resultInForm } from "../../log-messages/result.ts";
import { textsIn } from "../../tools/texts-in.ts";
import { asksForPart, showsWhole } from "../../tools/whole-view.ts";
import type { ContextLogIdea } from "./ideas.ts";
import type { LogParts, Part } from "./parts.ts";

/** Shorter texts are left as they are: a reference would save little and cost the reader a look back. */
const sameCharsMin = 200;
const diffCharsMin = 800;
/** A diff must be shorter than this share of the text. */
const diffShareMax = 0.6;
/** How many earlier reads of the file are looked at, newest first. */
const earlierReadsMax = 4;

/** What a tool says before it shows the changed text: one line that is no longer. */
const openingCharsMax = 400;

/**
 * Forms of results that stand in a request for the first time (SSOT 4.4 (2)). Nothing was sent yet,
 * so shortening breaks no prefix and costs nothing.
 */
export function arrivalForms(
  view: ContextView,
  log: LogParts,
  without: ReadonlySet<ContextLogIdea>,
): ReadonlyMap<string, PartForm> {
  const forms = new Map<string, PartForm>();
  for (let place = log.parts.length - 1; place >= 0; place -= 1) {
    const part = log.parts[place];
    if (part === undefined || part.step < view.step) break;
    const entry = view.log[part.at];
    if (entry?.kind !== "result" || view.forms.has(part.key)) continue;
    const form = arrivalForm(view, log, { part, entry, without });
    if (form !== undefined) forms.set(part.key, form);
  }
  return forms;
}

interface Arrival {
  readonly part: Part;
  readonly entry: ResultEntry;
  readonly without: ReadonlySet<ContextLogIdea>;
}

function arrivalForm(view: ContextView, log: LogParts, arrival: Arrival): PartForm | undefined {
  const form = shorterForm(view, log, arrival);
  const { entry, part } = arrival;
  // Of what no request could carry its two ends stand, whether or not a window is known.
  const chars = form === undefined ? part.chars : resultInForm(view, entry, form).chars;
  return chars > limits.arrivalCharsMax && (entry.text?.length ?? 0) > limits.arrivalCharsMax ? longestEnds : form;
}

const longestEnds: PartForm = { form: "spans", head: limits.arrivalCharsMax / 2, tail: limits.arrivalCharsMax / 2 };

function shorterForm(view: ContextView, log: LogParts, arrival: Arrival): PartForm | undefined {
  const { part, entry, without } = arrival;
  if (part.class !== "read" && part.class !== "change") return undefined;
  const candidates = without.has("earlier-text") ? [] : earlierText(view, log, arrival);
  const all: readonly PartForm[] = without.has("sparse") ? candidates : [...candidates, { form: "sparse" }];
  return all.find((form) => resultInForm(view, entry, form).chars < bound(form, part.chars));
}

/** References to what stands in view already. */
function earlierText(view: ContextView, log: LogParts, { part, entry }: Arrival): readonly PartForm[] {
  const { text } = entry;
  if (entry.attachments.length > 0 || part.chars < sameCharsMin || text === null) return [];
  if (part.class === "change") return repeatsArguments(view, log, { part, text });
  // What was asked for by its lines stands as it was asked for.
  if (asksForPart(entry.args)) return [];
  const reads = earlierReads(view, log, part);
  const equal = reads.find((read) => read.entry.text === text);
  const [newest] = reads;
  return [
    ...(equal === undefined ? [] : [{ form: "same" as const, as: equal.part.key }]),
    ...(newest !== undefined && part.chars > diffCharsMin && areComparable(newest.entry, entry)
      ? [{ form: "diff" as const, from: newest.part.key }]
      : []),
  ];
}

/**
 * Two views of the same lines: both of the whole file. A view that was cut without a word of it would show its end as
 * deleted, so both end in the same line.
 */
function areComparable(before: ResultEntry, after: ResultEntry): boolean {
  return showsWhole(before) && showsWhole(after) && lastLine(before.text) === lastLine(after.text);
}

const lastLine = (text: string | null): string =>
  bodyOf(text ?? "")
    .trimEnd()
    .split("\n")
    .at(-1) ?? "";

/** A tool that shows what was written, below one line of its own, shows what its arguments say already. */
function repeatsArguments(
  view: ContextView,
  log: LogParts,
  { part, text }: { readonly part: Part; readonly text: string },
): readonly PartForm[] {
  const args = log.argsOf(part);
  const body = text.indexOf("\n") + 1;
  if (args === undefined || view.forms.has(args.key) || body === 0 || body > openingCharsMax) return [];
  // What repeats less than it says of its own, or says why it failed, would lose that.
  const entry = view.log[part.at];
  if (entry?.kind !== "result" || entry.status === "fail" || text.length < 2 * body) return [];
  const written = textsIn(entry.args);
  const shown = bodyOf(text.slice(body)).split("\n");
  const repeats = shown.every((line) => written.some((one) => one.includes(line.trim())));
  return repeats ? [{ form: "same", as: args.key }] : [];
}

const bound = (form: PartForm, chars: number): number => (form.form === "diff" ? diffShareMax * chars : chars);

interface EarlierRead {
  readonly part: Part;
  readonly entry: ResultEntry;
}

/** Reads of the same file that stand in view with their text, newest first. */
function earlierReads(view: ContextView, log: LogParts, part: Part): readonly EarlierRead[] {
  const parts = part.file === undefined ? [] : log.touchOf(part.file).parts;
  const reads: EarlierRead[] = [];
  for (let place = parts.length - 1; place >= 0 && reads.length < earlierReadsMax; place -= 1) {
    const earlier = parts[place];
    if (earlier === undefined || earlier.at >= part.at || !standsWhole(view, earlier)) continue;
    const entry = view.log[earlier.at];
    if (entry?.kind === "result" && entry.text !== null) reads.push({ part: earlier, entry });
  }
  return reads;
}

/** New parts of the same request count as not yet decided, so that a reference never points at a reference. */
function standsWhole(view: ContextView, part: Part): boolean {
  const form = view.forms.get(part.key)?.form;
  const dismissed = part.object !== undefined && view.sets.dismissed.has(part.object);
  return !dismissed && part.step < view.step && (form === undefined || form === "sparse");
}

const bodyOf = (text: string): string => (parseNumbered(text)?.body ?? text).replace(/\n$/, "");
