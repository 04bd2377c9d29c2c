import type { RecordedAssistant, RecordedEvent } from "@cm/recordings";
import { withoutNumber } from "./citations.ts";
import type { InView } from "./in-view.ts";
import { stringsIn } from "./strings-in.ts";

/** Shorter lines, such as a bracket or an import of one word, stand everywhere and say nothing of where they are from. */
export const copiedLineCharsMin = 25;

export interface CopiedCount {
  /** Lines that a call writes and that only tool output had. */
  readonly copied: number;
  /** Those of them that the request showed. */
  readonly met: number;
}

/** Follows which lines tools have told, and which the user and the agent have written themselves. */
export class Copies {
  readonly #told = new Set<string>();
  readonly #written = new Set<string>();

  /** Takes in what came before a request. */
  add(event: RecordedEvent): void {
    if (event.kind === "user") for (const line of longLines(event.text)) this.#written.add(line);
    if (event.kind !== "result") return;
    for (const numbered of event.text.split("\n")) {
      if (numbered.length < copiedLineCharsMin) continue;
      const line = withoutNumber(numbered);
      if (line.length >= copiedLineCharsMin) this.#told.add(line);
    }
  }

  /** Counts what an answer copies against what its request showed. From then on these lines are the agent's own. */
  answer(answer: RecordedAssistant, view: Pick<InView, "shows">): CopiedCount {
    const count = { copied: 0, met: 0 };
    const texts = [answer.text, ...answer.calls.flatMap(({ args }) => stringsIn(args))];
    for (const line of new Set(texts.flatMap(longLines))) {
      if (this.#told.has(line) && !this.#written.has(line)) {
        count.copied += 1;
        if (view.shows(line)) count.met += 1;
      }
      this.#written.add(line);
    }
    return count;
  }
}

function longLines(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(({ length }) => length >= copiedLineCharsMin);
}
