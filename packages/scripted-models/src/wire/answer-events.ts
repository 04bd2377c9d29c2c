import { limits } from "../limits.ts";
import type { GivenAnswer } from "./captured-request.ts";
import type { CountedTokens } from "./prefix-cache.ts";
import type { ScriptedAnswer } from "./script.ts";

/** The input of the formats' writers. */
export interface ToWrite {
  readonly given: GivenAnswer;
  readonly answer: ScriptedAnswer;
  readonly tokens: CountedTokens;
  /** The model's id, as asked for. */
  readonly model: string;
}

/** One event of a stream; `name` only where the format names its events. */
export interface StreamEvent {
  readonly name?: string;
  readonly data: object | "[DONE]";
}

/** `open` goes out before the place where an answer may stall or be cut, `rest` after it. */
export interface AnswerEvents {
  readonly open: readonly StreamEvent[];
  readonly rest: readonly StreamEvent[];
  /** The same answer where no stream is asked for. */
  readonly whole: object;
}

export function outputTokens({ given, answer }: ToWrite): number {
  if (typeof answer.usage === "object") return answer.usage.output;
  return Math.ceil(JSON.stringify([given.text, given.thinking ?? "", given.calls]).length / limits.charsPerToken);
}

/** A text in the pieces in which it is streamed; a code point stays whole. */
export function deltas(text: string): string[] {
  const points = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < points.length; at += limits.deltaChars) {
    pieces.push(points.slice(at, at + limits.deltaChars).join(""));
  }
  return pieces;
}

export const argsText = (args: GivenAnswer["calls"][number]["args"]): string =>
  typeof args === "string" ? args : JSON.stringify(args);
