import type { RecordedEvent } from "@cm/recordings";
import { head, read, write } from "./recount.ts";

export interface Needs {
  readonly needed: number;
  readonly neededMet: number;
  readonly missedFiles: number;
  readonly union: number;
  readonly unionMet: number;
  readonly cited: number;
  readonly citedMet: number;
  readonly citedInLine: number;
  readonly copied: number;
  readonly copiedMet: number;
  /** What it costs to fetch again what was missed. */
  readonly faultCost: number;
  readonly dialogueShare: number;
}

/** What requests showed of what their answers needed: everything is looked for anew at each call, slowly and plainly. */
export function recountNeeds(requests: readonly (readonly string[])[], events: readonly RecordedEvent[]): Needs {
  const needs = { needed: 0, neededMet: 0, cited: 0, citedMet: 0, citedInLine: 0, faultCost: 0 };
  const [edits, copies] = [
    { union: 0, unionMet: 0 },
    { copied: 0, copiedMet: 0 },
  ];
  const missedFiles = new Set<unknown>();
  let [said, shown] = [0, 0];
  let call = -1;
  for (const [at, event] of events.entries()) {
    if (event.kind !== "assistant") continue;
    call += 1;
    const request = requests[call] ?? [];
    const past = events.slice(0, at);
    const missing = new Set<number>();
    for (const { text, path } of replaced(event)) {
      const line = longestOf(text);
      const last = past.findLastIndex((one) => holds(plain(one), line));
      if (last < 0) continue;
      needs.needed += 1;
      if (request.some((text) => holds(text, line))) needs.neededMet += 1;
      else {
        missing.add(last);
        missedFiles.add(path);
      }
    }
    for (const { text } of replaced(event)) {
      const lines = text.split("\n").flatMap((line) => line.trim() || []);
      if (!lines.every((line) => past.some((one) => holds(plain(one), line)))) continue;
      edits.union += 1;
      if (lines.every((line) => request.some((shown) => holds(shown, line)))) edits.unionMet += 1;
    }
    for (const line of copied(event, past)) {
      copies.copied += 1;
      if (request.some((text) => holds(text, line))) copies.copiedMet += 1;
    }
    const size = request.reduce((sum, { length }) => sum + length, head);
    for (const place of missing) needs.faultCost += read * size + write * (plain(past[place]).length + 200);
    for (const name of cited(event, past)) {
      const having = request.filter((text) => names(text).has(name));
      const lines = past
        .flatMap((one) => (one.kind === "result" ? one.text.split("\n") : []))
        .filter((line) => names(line).has(name));
      needs.cited += 1;
      if (having.length > 0) needs.citedMet += 1;
      if (lines.some((line) => having.some((text) => holds(text, bare(line))))) needs.citedInLine += 1;
    }
    const all = request.join("\n");
    for (const one of past) {
      if (one.kind === "result" || one.text.trim() === "") continue;
      said += one.text.length;
      if (one.text.split("\n").every((line) => all.includes(line.trim()))) shown += one.text.length;
    }
  }
  return { ...needs, ...edits, ...copies, missedFiles: missedFiles.size, dialogueShare: said === 0 ? 1 : shown / said };
}

type Answer = Extract<RecordedEvent, { kind: "assistant" }>;

function replaced({ calls }: Answer): readonly { readonly text: string; readonly path: unknown }[] {
  return calls
    .filter(({ name }) => name === "edit")
    .flatMap(({ args: { edits, path } }) =>
      (edits as { oldText: string }[]).map(({ oldText: text }) => ({ text, path })),
    );
}

function longestOf(text: string): string {
  return text
    .split("\n")
    .reduce((a, b) => (b.trim().length > a.trim().length ? b : a))
    .trim();
}

/** Lines of an answer that stand in the output of a tool before it and in no text that a person or a model wrote before. */
function copied(answer: Answer, past: readonly RecordedEvent[]): readonly string[] {
  const long = (text: string) => text.split("\n").flatMap((line) => (line.trim().length < 25 ? [] : line.trim()));
  const told = past.flatMap((one) => (one.kind === "result" ? one.text.split("\n").map(bare) : []));
  const written = past.flatMap((one) => (one.kind === "result" ? [] : pieces(one).flatMap(long)));
  return [...new Set(pieces(answer).flatMap(long))].filter((line) => told.includes(line) && !written.includes(line));
}

/** Names in an answer that only tools wrote before it. */
function cited(answer: Answer, past: readonly RecordedEvent[]): readonly string[] {
  const told = new Set(past.flatMap((one) => (one.kind === "result" ? [...names(one.text)] : [])));
  const spoken = new Set(past.flatMap((one) => (one.kind === "result" ? [] : [...names(written(one))])));
  return [...names(written(answer))].filter((name) => told.has(name) && !spoken.has(name));
}

function written(event: RecordedEvent): string {
  return pieces(event).join("\n");
}

/** What a person or a model wrote: the text, and each text in the arguments of calls. */
function pieces(event: RecordedEvent): readonly string[] {
  return [event.text, ...(event.kind === "assistant" ? event.calls.flatMap(({ args }) => leaves(args)) : [])];
}

function leaves(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(leaves) : [];
}

function plain(event: RecordedEvent | undefined): string {
  const args = event?.kind === "assistant" ? event.calls.map((call) => JSON.stringify(call.args)).join("") : "";
  return `${event?.text ?? ""}\n${args}`;
}

const holds = (text: string, line: string): boolean =>
  text.includes(line) || text.includes(JSON.stringify(line).replace(/^"|"$/g, ""));

const bare = (line: string): string => line.replace(/^\s*[0-9]+(\t|:|→|\|)/, "").trim();

const known = new Map<string, ReadonlySet<string>>();

/** Runs of the characters that names are made of, without punctuation at their ends, and what dots and dashes part. */
function names(text: string): ReadonlySet<string> {
  const before = known.get(text);
  if (before !== undefined) return before;
  const found = new Set<string>();
  for (const run of text
    .replaceAll("\\n", " ")
    .replaceAll("\\r", " ")
    .replaceAll("\\t", " ")
    .split(/[^\w./-]+/)) {
    const whole = run.replace(/^[./-]+/, "").replace(/[./-]+$/, "");
    if (whole.length < 8) continue;
    for (const part of [whole, ...whole.split(/[./-]/)])
      if (part.length >= 8 && !/^[A-Z]?[a-z]+$/.test(part)) found.add(part);
  }
  known.set(text, found);
  return found;
}
