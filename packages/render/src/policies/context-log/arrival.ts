import { type ContextView, type PartForm, type ResultEntry, textsIn } from "@cm/context-log";
import { asksForPart, parseNumbered, showsWhole } from "@cm/tool-calls";
import { comparable } from "../../layouts/changed-lines.ts";
import { resultInForm } from "../../layouts/log/result.ts";
import { limits } from "../../limits.ts";
import type { LogParts } from "../log-index/log-parts.ts";
import type { Part } from "../log-index/part.ts";
import type { ContextLogConstants } from "./constants.ts";
import { repeatedRuns } from "./repeated-lines.ts";

export interface Arrival {
  readonly part: Part;
  readonly entry: ResultEntry;
  readonly constants: ContextLogConstants;
}

/** Shorter forms for a result that stands in a request for the first time, the shortest first. */
export type ArrivalForms = (view: ContextView, log: LogParts, arrival: Arrival) => readonly PartForm[];

/**
 * Forms of results that stand in a request for the first time (SSOT 4.4 (2)). Nothing was sent yet,
 * so shortening breaks no prefix and costs nothing.
 * @param ways in which a text that was read or changed may arrive shorter, those that save most first
 */
export function arrivalForms(
  view: ContextView,
  log: LogParts,
  { ways, constants }: { readonly ways: readonly ArrivalForms[]; readonly constants: ContextLogConstants },
): ReadonlyMap<string, PartForm> {
  const forms = new Map<string, PartForm>();
  for (let place = log.parts.length - 1; place >= 0; place -= 1) {
    const part = log.parts[place];
    if (part === undefined || part.step < view.step) break;
    const entry = view.log[part.at];
    if (entry?.kind !== "result" || view.forms.has(part.key)) continue;
    const form = arrivalForm(view, log, { arrival: { part, entry, constants }, ways });
    if (form !== undefined) forms.set(part.key, form);
  }
  return forms;
}

interface Arriving {
  readonly arrival: Arrival;
  readonly ways: readonly ArrivalForms[];
}

function arrivalForm(view: ContextView, log: LogParts, arriving: Arriving): PartForm | undefined {
  const form = shorterForm(view, log, arriving);
  const { entry, part } = arriving.arrival;
  // Of what no request could carry its two ends stand, whether or not a window is known.
  const chars = form === undefined ? part.chars : resultInForm(view, entry, form).chars;
  return chars > limits.arrivalCharsMax && (entry.text?.length ?? 0) > limits.arrivalCharsMax ? longestEnds : form;
}

const longestEnds: PartForm = { form: "spans", head: limits.arrivalCharsMax / 2, tail: limits.arrivalCharsMax / 2 };

function shorterForm(view: ContextView, log: LogParts, { arrival, ways }: Arriving): PartForm | undefined {
  const { part, entry, constants } = arrival;
  let shortest: { readonly form: PartForm; readonly chars: number } | undefined;
  for (const form of ways.flatMap((way) => way(view, log, arrival))) {
    const { chars } = resultInForm(view, entry, form);
    const most = form.form === "diff" ? constants.diffShareMax * part.chars : part.chars;
    const least = shortest?.chars ?? part.chars;
    const margin = form.form === "pointer" ? Math.max(constants.pointerCharsMin, constants.pointerShareMin * least) : 0;
    if (chars < most && chars < least && chars <= least - margin) shortest = { form, chars };
  }
  return shortest?.form;
}

/** Line numbers on every tenth line. */
export const sparseNumbers: ArrivalForms = (_view, _log, { part }) => (showsFile(part) ? [{ form: "sparse" }] : []);

const showsFile = (part: Part): boolean => part.class === "read" || part.class === "change";

/** Runs of lines that stand in view already give way to a line each that says where. */
export const repeatedLines: ArrivalForms = (view, _log, { part, entry, constants }) => {
  const { text } = entry;
  if (entry.attachments.length > 0 || text === null || part.chars < constants.pointedCharsMin) return [];
  // What the agent asked to see again stands.
  if (part.class === "recalled") return [];
  const runs = repeatedRuns(view, text, {
    linesMin: constants.runLinesMin,
    charsMin: constants.pointerCharsMin,
    baseShareMin: constants.baseShareMin,
    mayPointAt: (base) => base.at < part.at && isFullyVisible(view, base),
  });
  const repeated = runs.reduce((lines, { count }) => lines + count, 0);
  // What was asked for by its lines is not answered by a pointer alone.
  if (asksForPart(entry.args) && repeated > constants.rangeShareMax * text.split("\n").length) return [];
  return runs.length === 0 ? [] : [{ form: "pointer", runs }];
};

/** References to what stands in view already. */
export function earlierText(view: ContextView, log: LogParts, arrival: Arrival): readonly PartForm[] {
  const { part, entry, constants } = arrival;
  const { text } = entry;
  if (!showsFile(part)) return [];
  if (entry.attachments.length > 0 || part.chars < constants.repeatCharsMin || text === null) return [];
  if (part.class === "change") return repeatsArguments(view, log, { ...arrival, text });
  // What was asked for by its lines stands as it was asked for.
  if (asksForPart(entry.args)) return [];
  const reads = earlierReads(view, log, arrival);
  const equal = reads.find((read) => read.entry.text === text);
  const [newest] = reads;
  return [
    ...(equal === undefined ? [] : [{ form: "same" as const, as: equal.part.key }]),
    ...(newest !== undefined && part.chars > constants.diffCharsMin && areComparable(newest.entry, entry)
      ? [{ form: "diff" as const, from: newest.part.key }]
      : []),
  ];
}

/**
 * Two views of the same lines: both of the whole file. A view that was cut without a word of it would show its end as
 * deleted, so both end in the same line; and alike, since a last line break that only one tool prints would show that line
 * as changed.
 */
function areComparable(before: ResultEntry, after: ResultEntry): boolean {
  if (!showsWhole(before) || !showsWhole(after)) return false;
  const [one, other] = [comparable(before.text ?? "").text, comparable(after.text ?? "").text];
  // Where only the numbers of lines differ, nothing would stand below the line that says what changed.
  return one !== other && lastLine(one) === lastLine(other) && one.endsWith("\n") === other.endsWith("\n");
}

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? "";

/** A tool that shows what was written, below one line of its own, shows what its arguments say already. */
function repeatsArguments(
  view: ContextView,
  log: LogParts,
  { part, entry, text, constants }: Arrival & { readonly text: string },
): readonly PartForm[] {
  const args = log.argsOf(part);
  const body = text.indexOf("\n") + 1;
  if (args === undefined || view.forms.has(args.key) || body === 0 || body > constants.openingCharsMax) return [];
  // What repeats less than it says of its own, or says why it failed, would lose that.
  if (entry.status === "fail" || text.length < 2 * body) return [];
  const written = textsIn(entry.args);
  const shown = bodyOf(text.slice(body)).split("\n");
  const repeats = shown.every((line) => written.some((one) => one.includes(line.trim())));
  return repeats ? [{ form: "same", as: args.key }] : [];
}

interface EarlierRead {
  readonly part: Part;
  readonly entry: ResultEntry;
}

/** Reads of the same file that stand in view with their text, newest first. */
function earlierReads(view: ContextView, log: LogParts, { part, constants }: Arrival): readonly EarlierRead[] {
  const parts = part.file === undefined ? [] : log.touchOf(part.file).parts;
  const reads: EarlierRead[] = [];
  for (let place = parts.length - 1; place >= 0 && reads.length < constants.earlierReadsMax; place -= 1) {
    const earlier = parts[place];
    if (earlier === undefined || earlier.at >= part.at || !isFullyVisible(view, earlier)) continue;
    const entry = view.log[earlier.at];
    // What a call of ours brought back stands below a line of its own: its lines are not those of the file.
    if (entry?.kind === "result" && entry.text !== null && entry.shows === undefined)
      reads.push({ part: earlier, entry });
  }
  return reads;
}

/** New parts of the same request count as not yet decided, so that a reference never points at a reference. */
function isFullyVisible(view: ContextView, part: Part): boolean {
  const form = view.forms.get(part.key)?.form;
  const dismissed = part.object !== undefined && view.sets.dismissed.has(part.object);
  return !dismissed && part.step < view.step && (form === undefined || form === "sparse");
}

/** Without line numbers, and without what follows numbered lines. */
function bodyOf(text: string): string {
  const numbered = parseNumbered(text);
  return (numbered === undefined ? text : numbered.opening + numbered.body).replace(/\n$/, "");
}
