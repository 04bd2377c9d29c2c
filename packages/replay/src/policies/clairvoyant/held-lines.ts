import { type ContextView, callOfPart } from "@cm/context-log";
import type { LogParts, Part } from "@cm/render";
import { shows } from "../../measure/shows.ts";
import type { Future } from "./future.ts";

/** Which parts of a log hold each line that an edit will need, in order of the log. Each text is searched once. */
export class HeldLines {
  readonly #future: Future;
  readonly #holders = new Map<string, Part[]>();
  readonly #lines = new Map<Part, readonly string[]>();
  #read = 0;

  constructor(future: Future) {
    this.#future = future;
  }

  readOn(view: ContextView, { parts }: LogParts): void {
    for (; this.#read < parts.length; this.#read += 1) {
      const part = parts[this.#read];
      if (part !== undefined) this.#add(view, part);
    }
  }

  holdersOf(line: string): readonly Part[] {
    return this.#holders.get(line) ?? [];
  }

  linesIn(part: Part): readonly string[] {
    return this.#lines.get(part) ?? [];
  }

  #add(view: ContextView, part: Part): void {
    const text = textOf(view, part);
    const lines = text === "" ? [] : [...this.#future.lines.keys()].filter((line) => shows(text, line));
    if (lines.length === 0) return;
    this.#lines.set(part, lines);
    for (const line of lines) this.#holders.set(line, [...(this.#holders.get(line) ?? []), part]);
  }
}

/** What a part says in full. */
export function textOf(view: ContextView, { at, key, isArgs }: Part): string {
  const entry = view.log[at];
  if (entry === undefined) return "";
  if (isArgs && entry.kind === "assistant") return JSON.stringify(entry.calls[callOfPart(key)]?.args ?? {});
  return "text" in entry ? (entry.text ?? "") : "";
}
