import type { Prices } from "@cm/context-log";
import type { RecordedEvent, Recording } from "@cm/recordings";
import { namesIn } from "../../measure/names.ts";
import { shows } from "../../measure/shows.ts";
import { carriedCallsMax } from "./carried-calls.ts";
import { type Future, lastNeed } from "./future.ts";
import type { PlannedPart, PlannedStretch } from "./planned-cut.ts";

/** About what the reference of an output takes, that of a call's arguments, and the number of a line that arrives sparse. */
const referenceChars = 90;
const argsReferenceChars = 150;
const lineNumberChars = 6;
/** A name that stays stands with a part of its line. */
const nameFrameChars = 3;

/** What the rest of a recording will add to the log, and when it may fold. Sizes are estimates: only the log knows its forms. */
export interface Foreseen {
  /** By the request that they stand in first. */
  readonly stretches: readonly PlannedStretch[];
  /** The steps at which a turn begins, ascending. */
  readonly turns: readonly number[];
}

interface Known {
  readonly future: Future;
  readonly prices: Prices;
}

export function foreseenOf({ events }: Pick<Recording, "events">, { future, prices }: Known): Foreseen {
  const turns = turnsOf(events);
  const chars: number[] = [];
  const parts: PlannedPart[][] = [];
  let step = 0;
  for (const event of events) {
    if (event.kind === "assistant") step += 1;
    chars[step] = (chars[step] ?? 0) + event.text.length;
    parts[step] = [
      ...(parts[step] ?? []),
      ...(event.kind === "result" ? [outputPart(event.text, step, { future, prices })] : []),
    ];
    if (event.kind !== "assistant") continue;
    for (const { args } of event.calls) {
      const text = JSON.stringify(args);
      chars[step] = (chars[step] ?? 0) + text.length;
      const deadAt = Math.max(
        deathOf(text, { step, future, callsMax: Number.POSITIVE_INFINITY }),
        turns.find((turn) => turn > step) ?? Number.POSITIVE_INFINITY,
      );
      parts[step]?.push({ deadAt, saves: Math.max(0, text.length - argsReferenceChars) });
    }
  }
  const stretches = Array.from({ length: step + 1 }, (_, arrivesAt) => ({
    arrivesAt,
    chars: chars[arrivesAt] ?? 0,
    parts: (parts[arrivesAt] ?? []).filter(({ saves }) => saves > 0),
  }));
  return { stretches, turns };
}

function turnsOf(events: readonly RecordedEvent[]): readonly number[] {
  const turns: number[] = [];
  let step = 0;
  for (const { kind } of events) {
    if (kind === "assistant") step += 1;
    else if (kind === "user" && turns.at(-1) !== step) turns.push(step);
  }
  return turns;
}

function outputPart(text: string, step: number, { future, prices }: Known): PlannedPart {
  const numbers = /^\s*\d+[→\t]/.test(text) ? lineNumberChars * text.split("\n").length : 0;
  const saves = text.length - numbers - referenceChars - keptNamesChars(text, step, future);
  const callsMax = carriedCallsMax(prices, { chars: text.length - numbers, saves });
  return { deadAt: deathOf(text, { step, future, callsMax }), saves: Math.max(0, saves) };
}

/** The first call that no longer needs a text of a step, which stands whole in its first request. */
function deathOf(
  text: string,
  { step, future, callsMax }: { readonly step: number; readonly future: Future; readonly callsMax: number },
): number {
  let last = step;
  for (const [line, known] of future.lines) {
    const until = lastNeed(known, step, { callsMax, fetchAt: future.fetchAt });
    if (until !== undefined && until > last && shows(text, line)) last = until;
  }
  return last + 1;
}

/** The names that later calls take from a text which is the last to tell them. */
export function keptNamesChars(text: string, step: number, future: Future): number {
  let chars = 0;
  for (const name of namesIn(text)) {
    if (future.names.get(name)?.toldAt === step) chars += name.length + nameFrameChars;
  }
  return chars;
}
