import { readFileSync } from "node:fs";

/** The figures of a dump, counted independently of the app. */
export interface Recount {
  readonly calls: number;
  readonly billedShare: number;
  readonly sentShare: number;
  readonly cachedShare: number;
  readonly peakChars: number;
  readonly breaksPer100: number;
  readonly plainCost: number;
  /** The dearest share of all the first n calls, n being 25 or more; undefined where there are fewer. */
  readonly cutOffShare: number | undefined;
  readonly requests: readonly (readonly string[])[];
}

export interface PlainEvent {
  readonly kind: "user" | "assistant" | "result";
  readonly text: string;
}

export const read = 0.1;
export const write = 1.25;
export const head = 16_000;

/** Costs of the requests in a dump against the plain append-only log of the recorded events. */
export function recount(dumpFile: string, events: readonly PlainEvent[]): Recount {
  return recountRequests(readRequests(dumpFile), events);
}

export function recountRequests(requests: Recount["requests"], events: readonly PlainEvent[]): Recount {
  const managed = new Tally();
  const bills = requests.map((request) => managed.add(request));
  const plain = new Tally();
  const log: string[] = [];
  const plainBills: number[] = [];
  for (const { kind, text } of events) {
    if (kind === "assistant") plainBills.push(plain.add(log));
    log.push(text);
  }
  const shares = bills.map((bill, call) => bill / (plainBills[call] ?? 0)).slice(24);
  return {
    calls: requests.length,
    billedShare: managed.cost / plain.cost,
    sentShare: managed.sent / plain.sent,
    cachedShare: managed.cached / managed.sent,
    peakChars: managed.peak,
    breaksPer100: (100 * managed.breaks) / requests.length,
    plainCost: plain.cost,
    cutOffShare: shares.length === 0 ? undefined : Math.max(...shares),
    requests,
  };
}

/** Adds up requests, each against the longest common prefix with the one before, text by text. */
class Tally {
  cost = 0;
  sent = 0;
  cached = 0;
  peak = 0;
  breaks = 0;
  #last: readonly string[] | undefined;

  /** Returns the cost of all so far. */
  add(texts: readonly string[]): number {
    const size = texts.reduce((sum, { length }) => sum + length, head);
    const hit = this.#last === undefined ? 0 : head + commonPrefix(this.#last, texts);
    this.cost += read * hit + write * (size - hit);
    this.sent += size;
    this.cached += hit;
    this.peak = Math.max(this.peak, size);
    if (this.#last?.some((text, place) => texts[place] !== text)) this.breaks += 1;
    this.#last = [...texts];
    return this.cost;
  }
}

function commonPrefix(before: readonly string[], now: readonly string[]): number {
  let chars = 0;
  for (const [place, text] of now.entries()) {
    const other = before[place];
    if (other === undefined) return chars;
    if (other !== text) {
      let same = 0;
      while (same < text.length && same < other.length && text[same] === other[same]) same += 1;
      return chars + same;
    }
    chars += text.length;
  }
  return chars;
}

function readRequests(dumpFile: string): readonly (readonly string[])[] {
  const texts = new Map<string, string>();
  const requests: string[][] = [];
  for (const line of readFileSync(dumpFile, "utf8").trimEnd().split("\n")) {
    const entry = JSON.parse(line) as { block?: string; text?: string; call?: number; blocks?: string[] };
    if (entry.block !== undefined) {
      if (texts.has(entry.block)) throw new Error(`block ${entry.block} is written twice`);
      texts.set(entry.block, entry.text ?? "");
    } else {
      if (entry.call !== requests.length) throw new Error(`call ${entry.call} is out of order`);
      requests.push((entry.blocks ?? []).map((id) => textOf(texts, id)));
    }
  }
  return requests;
}

function textOf(texts: ReadonlyMap<string, string>, id: string): string {
  const text = texts.get(id);
  if (text === undefined) throw new Error(`block ${id} is used before it is written`);
  return text;
}
