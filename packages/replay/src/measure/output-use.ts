import type { RecordedAssistant, RecordedCall, RecordedResult, Recording } from "@cm/recordings";
import { limits } from "../limits.ts";
import { callTarget } from "./call-target.ts";
import { withoutNumber } from "./citations.ts";
import { copiedLineCharsMin } from "./copies.ts";
import { namesIn } from "./names.ts";
import { replacedTexts } from "./needed.ts";
import { PlainLog } from "./plain-log.ts";
import { stringsIn } from "./strings-in.ts";

/** What the requests of a plain conversation carried of tool output, in characters, and what of it served nothing more. */
export interface OutputUse {
  /** All requests together, each with everything before it and a head of `limits.headChars`. */
  readonly sentChars: number;
  /** Of these, outputs of tools. */
  readonly outputChars: number;
  /** Of these, outputs in requests after the first one, from which on no answer used them. */
  readonly unusedChars: number;
  readonly outputs: number;
  /** Outputs that no answer used, not even the one that got them first. */
  readonly neverUsed: number;
  /** The outputs that make up most of `unusedChars`, the heaviest first; at most `limits.unusedOutputsTold`. */
  readonly heaviest: readonly UnusedOutput[];
}

export interface UnusedOutput {
  readonly tool: string | undefined;
  /** A path, the start of a command; undefined where the call does not say. */
  readonly target: string | undefined;
  readonly chars: number;
  /** Requests that carried it after the last one that used it. */
  readonly requests: number;
}

/**
 * Follows each output of a recording to the last answer that used it: one that edits a text whose line it showed, or that
 * writes a name or a long line that only tools had told. Of several outputs that told it, the newest counts. What the
 * model only thought about an output leaves no trace, so an answer to its first request always counts as a use of it.
 *
 * @param shown what may be shown of the text of a call, such as without its secrets. Default: all of it
 */
export function outputUse(
  { events }: Pick<Recording, "events">,
  { shown }: { readonly shown?: (text: string) => string } = {},
): OutputUse {
  const outputs = new Outputs(shown);
  for (const event of events) outputs.add(event);
  return outputs.use;
}

interface Output {
  readonly result: RecordedResult;
  readonly call: RecordedCall | undefined;
  /** The first request that had it. */
  readonly from: number;
  /** The last answer that used it; undefined for none. */
  usedAt: number | undefined;
}

class Outputs {
  readonly #plain = new PlainLog({ read: 0, write: 1 }, limits.headChars);
  readonly #outputs: Output[] = [];
  readonly #calls = new Map<string, RecordedCall>();
  /** By place among the events. */
  readonly #places = new Map<number, Output>();
  readonly #names = new Told();
  readonly #lines = new Told();
  readonly #shown: ((text: string) => string) | undefined;
  #place = 0;
  #requests = 0;
  #sentChars = 0;

  constructor(shown: ((text: string) => string) | undefined) {
    this.#shown = shown;
  }

  add(event: Recording["events"][number]): void {
    if (event.kind === "user") this.#said(event.text);
    if (event.kind === "result") this.#told(event);
    if (event.kind === "assistant") this.#answer(event);
    this.#plain.add(event);
    this.#place += 1;
  }

  get use(): OutputUse {
    const carried = this.#outputs.map((output) => ({ output, ...this.#carried(output) }));
    const sum = (of: (one: (typeof carried)[number]) => number) => carried.reduce((total, one) => total + of(one), 0);
    const unused = carried.filter(({ unused: requests, output }) => requests * output.result.text.length > 0);
    const heaviest = unused.sort(
      (a, b) => b.unused * b.output.result.text.length - a.unused * a.output.result.text.length,
    );
    return {
      sentChars: this.#sentChars,
      outputChars: sum(({ requests, output }) => requests * output.result.text.length),
      unusedChars: sum(({ unused: requests, output }) => requests * output.result.text.length),
      outputs: this.#outputs.length,
      neverUsed: this.#outputs.filter(({ usedAt }) => usedAt === undefined).length,
      heaviest: heaviest.slice(0, limits.unusedOutputsTold).map(({ output: { result, call }, unused: requests }) => ({
        tool: result.tool,
        target: call === undefined ? undefined : callTarget(call.args, this.#shown),
        chars: result.text.length,
        requests,
      })),
    };
  }

  #carried({ from, usedAt }: Output): { readonly requests: number; readonly unused: number } {
    const requests = this.#requests - from;
    return { requests, unused: Math.max(0, this.#requests - 1 - Math.max(from, usedAt ?? from)) };
  }

  #said(text: string): void {
    for (const name of namesIn(text)) this.#names.say(name);
    for (const line of longLines(text)) this.#lines.say(line);
  }

  #told(result: RecordedResult): void {
    const output: Output = { result, call: this.#calls.get(result.callId), from: this.#requests, usedAt: undefined };
    this.#outputs.push(output);
    this.#places.set(this.#place, output);
    for (const name of namesIn(result.text)) this.#names.tell(name, output);
    for (const line of longLines(result.text)) this.#lines.tell(line, output);
  }

  #answer(answer: RecordedAssistant): void {
    this.#sentChars += this.#plain.request("warm").plainSentChars;
    const written = [answer.text, ...answer.calls.flatMap(({ args }) => stringsIn(args))].join("\n");
    const edited = replacedTexts(answer).map(({ longest }) => this.#plain.newestWith(longest)?.place);
    const used = [
      ...edited.map((place) => (place === undefined ? undefined : this.#places.get(place))),
      ...[...namesIn(written)].map((name) => this.#names.say(name)),
      ...longLines(written).map((line) => this.#lines.say(line)),
    ];
    for (const output of used) if (output !== undefined) output.usedAt = this.#requests;
    for (const call of answer.calls) this.#calls.set(call.id, call);
    this.#requests += 1;
  }
}

/** What only outputs have said so far: once user or model have said it, the dialogue holds it. */
class Told {
  readonly #told = new Map<string, Output>();
  readonly #spoken = new Set<string>();

  tell(what: string, output: Output): void {
    if (!this.#spoken.has(what)) this.#told.set(what, output);
  }

  /** The output that told it last, unless the name had been said elsewhere. */
  say(what: string): Output | undefined {
    const output = this.#told.get(what);
    this.#told.delete(what);
    this.#spoken.add(what);
    return output;
  }
}

function longLines(text: string): readonly string[] {
  return text.split("\n").flatMap((numbered) => {
    if (numbered.length < copiedLineCharsMin) return [];
    const line = withoutNumber(numbered);
    return line.length < copiedLineCharsMin ? [] : [line];
  });
}
