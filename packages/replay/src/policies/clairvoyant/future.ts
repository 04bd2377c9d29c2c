import type { RecordedAssistant, RecordedEvent, Recording } from "@cm/recordings";
import { namesIn } from "../../measure/names.ts";
import { neededLines } from "../../measure/needed.ts";
import { shows } from "../../measure/shows.ts";
import { stringsIn } from "../../measure/strings-in.ts";

/** The earlier texts that a recording will need, at which calls. Calls count as the steps of a replay do, from 0. */
export interface Future {
  readonly calls: number;
  /** The requests that end in a result: at its end a text is brought back, elsewhere that would rewrite what was sent. */
  readonly fetchAt: ReadonlySet<number>;
  /** By the line that an edit replaces, as `needed` is measured. */
  readonly lines: ReadonlyMap<string, FutureLine>;
  /** Names that a call writes and that only tools had told until then. */
  readonly names: ReadonlyMap<string, FutureName>;
}

export interface FutureLine {
  /** The calls that replace it, ascending. */
  readonly calls: readonly number[];
  /** The requests in which a text that shows it stands for the first time, ascending. */
  readonly arrivals: readonly number[];
}

export interface FutureName {
  /** The first call that writes it: after it the dialogue holds the name. */
  readonly call: number;
  /** The last request before it that got the name from a tool. */
  readonly toldAt: number;
}

export function futureOf({ events }: Pick<Recording, "events">): Future {
  const calls = new Map<string, number[]>();
  const names = new Map<string, FutureName>();
  const talk = new Talk();
  const fetchAt = new Set<number>();
  let call = 0;
  for (const event of events) {
    if (event.kind === "result") fetchAt.add(call);
    if (event.kind !== "assistant") {
      talk.hear(event, call);
      continue;
    }
    for (const line of neededLines(event)) calls.set(line, [...(calls.get(line) ?? []), call]);
    for (const [name, toldAt] of talk.answer(event)) names.set(name, { call, toldAt });
    call += 1;
  }
  const lines = new Map(
    [...calls].map(([line, needed]) => [line, { calls: needed, arrivals: arrivalsOf(events, line) }]),
  );
  return { calls: call, fetchAt, lines, names };
}

function arrivalsOf(events: readonly RecordedEvent[], line: string): readonly number[] {
  const arrivals: number[] = [];
  let step = 0;
  for (const event of events) {
    if (event.kind === "assistant") step += 1;
    const texts =
      event.kind === "assistant" ? [event.text, ...event.calls.map(({ args }) => JSON.stringify(args))] : [event.text];
    if (arrivals.at(-1) !== step && texts.some((text) => shows(text, line))) arrivals.push(step);
  }
  return arrivals;
}

/** The names that tools, user and model have written so far. */
class Talk {
  /** By name the request that was told it last. */
  readonly #told = new Map<string, number>();
  readonly #spoken = new Set<string>();

  hear({ kind, text }: Exclude<RecordedEvent, RecordedAssistant>, step: number): void {
    for (const name of namesIn(text)) {
      if (kind === "user") this.#spoken.add(name);
      else this.#told.set(name, step);
    }
  }

  /** The names that an answer takes from tools alone, each with the request that was told it last. */
  answer({ text, calls }: RecordedAssistant): ReadonlyMap<string, number> {
    const written = namesIn([text, ...calls.flatMap(({ args }) => stringsIn(args))].join("\n"));
    const taken = new Map<string, number>();
    for (const name of written) {
      const toldAt = this.#told.get(name);
      if (toldAt !== undefined && !this.#spoken.has(name)) taken.set(name, toldAt);
      this.#spoken.add(name);
    }
    return taken;
  }
}

/** The next call that needs a line, from a request on, that no text arriving later serves; undefined for none. */
export function nextNeed({ calls, arrivals }: FutureLine, step: number): number | undefined {
  const next = calls.find((call) => call >= step);
  return next === undefined || arrivals.some((at) => at > step && at <= next) ? undefined : next;
}

/** For how many calls a text is carried to the next that needs it, where it could be brought back for that one. */
export interface Carrying {
  readonly callsMax: number;
  readonly fetchAt: ReadonlySet<number>;
}

/** Whether a text that was needed at a call, or arrived there, is carried to another that needs it next. */
export const isCarried = (from: number, to: number, { callsMax, fetchAt }: Carrying): boolean =>
  to - from <= callsMax || !fetchAt.has(to);

/**
 * The last of the calls that a line in view at a request is carried to, before a later text shows it again; undefined for
 * none.
 */
export function lastNeed({ calls, arrivals }: FutureLine, step: number, carrying: Carrying): number | undefined {
  const again = arrivals.find((at) => at > step) ?? Number.POSITIVE_INFINITY;
  let last: number | undefined;
  for (const call of calls) {
    if (call < step) continue;
    if (call >= again || !isCarried(last ?? step, call, carrying)) break;
    last = call;
  }
  return last;
}

/** Whether a name must stay in view at a request: a later call writes it, and no later output tells it before. */
export const isNameNeeded = ({ call, toldAt }: FutureName, step: number): boolean => call >= step && toldAt <= step;
