import type { JsonObject } from "@cm/object-model";
import type { Random } from "../random/random.ts";
import { randomText } from "../random/texts.ts";
import type { SessionEvent } from "./recorded-session.ts";

interface Workplace {
  readonly random: Random;
  readonly files: Map<string, string>;
  readonly hostile: number;
  readonly hostileText: (random: Random) => string;
  readonly thinking: number;
  calls: number;
}

export interface RandomSessionOptions {
  readonly steps: number;
  /** How often an answer carries thinking, from 0 to 1; 0.3 unless told. */
  readonly thinking?: number;
  /** How often what is said or printed is hostile, from 0 to 1; never unless told. */
  readonly hostile?: number;
  /** Makes such texts; those of `randomText` unless told. */
  readonly hostileText?: (random: Random) => string;
}

/** A session of an agent that reads, searches, edits and runs things, with the lengths and habits of real ones. */
export function randomSession(random: Random, options: RandomSessionOptions): readonly SessionEvent[] {
  const { hostile = 0, thinking = 0.3, hostileText = randomText } = options;
  const place: Workplace = { random, files: new Map(), hostile, hostileText, thinking, calls: 0 };
  for (let file = 0; file < 8; file += 1)
    place.files.set(`src/part-${file}/file-${file}.ts`, sourceText(random, 3_000));
  const events: SessionEvent[] = [];
  const turnEvery = 2 + random.below(25);
  for (let step = 0; step < options.steps; step += 1) {
    if (step === 0 || random.below(turnEvery) === 0) events.push({ kind: "user", text: spoken(place, 200) });
    events.push(...stepEvents(place));
  }
  return events;
}

function stepEvents(place: Workplace): readonly SessionEvent[] {
  const { random } = place;
  const count = random.chance(0.1) ? 0 : 1 + random.below(random.chance(0.2) ? 4 : 1);
  const done = Array.from({ length: count }, () => callAndResult(place));
  const thinking = random.chance(place.thinking) ? [{ text: "Let me think.", signature: `s${random.below(1e6)}` }] : [];
  const text = random.chance(0.6) ? spoken(place, 120) : "";
  return [
    { kind: "assistant", text, thinking, calls: done.map(({ call }) => call) },
    ...done.map(({ result }) => result),
  ];
}

interface Done {
  readonly call: { readonly callId: string; readonly tool: string; readonly args: JsonObject };
  readonly result: SessionEvent;
}

function callAndResult(place: Workplace): Done {
  const { random, files } = place;
  const callId = `call_${place.calls}`;
  place.calls += 1;
  const done = (tool: string, args: JsonObject, text: string, failed = false): Done => ({
    call: { callId, tool, args },
    result: { kind: "result", callId, text, failed },
  });
  const path = random.pick([...files.keys()] as [string, ...string[]]);
  const text = files.get(path) ?? "";
  const kind = random.below(10);
  if (kind < 3) return done("Read", { file_path: path }, numbered(text));
  if (kind === 3) return done("bash", { command: `cat ${path}` }, text);
  if (kind < 6) {
    const lines = text.split("\n");
    const at = random.below(lines.length);
    const old = lines[at] ?? "";
    lines[at] = sourceLine(random);
    files.set(path, lines.join("\n"));
    return done("edit", { path, oldText: old, newText: lines[at] ?? "" }, "Done.", random.chance(0.1));
  }
  if (kind === 6) {
    files.set(path, sourceText(random, 2_000));
    return done("write", { path, content: files.get(path) ?? "" }, "Written.");
  }
  if (kind === 7) return done("grep", { pattern: sourceLine(random).slice(0, 10), path }, spoken(place, 600));
  return done("bash", { command: `npm test -- ${random.below(1e4)}` }, output(place), random.chance(0.2));
}

function output(place: Workplace): string {
  return place.random.chance(place.hostile)
    ? place.hostileText(place.random)
    : sourceText(place.random, place.random.below(4_000));
}

function spoken(place: Workplace, chars: number): string {
  return place.random.chance(place.hostile)
    ? place.hostileText(place.random)
    : sourceText(place.random, place.random.below(chars));
}

function sourceText(random: Random, chars: number): string {
  let text = "";
  while (text.length < chars) text += `${sourceLine(random)}\n`;
  return text;
}

const words = ["const", "export", "function", "value", "render", "view", "count", "return", "await", "items"] as const;

function sourceLine(random: Random): string {
  const names = Array.from({ length: 2 + random.below(6) }, () => `${random.pick(words)}${random.below(1_000)}`);
  return `  ${names.join(" ")};`;
}

const numbered = (text: string): string =>
  text
    .split("\n")
    .map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
    .join("\n");
