import type { RecordedAssistant, RecordedEvent } from "@cm/recordings";
import type { InView } from "./in-view.ts";
import { namesIn } from "./names.ts";
import { contentOf } from "./prompt-texts.ts";
import { shows } from "./shows.ts";
import { stringsIn } from "./strings-in.ts";

export interface CitedCount {
  /** Names that a call writes and that only tool output had told. */
  readonly cited: number;
  /** Those of them that the request held. */
  readonly met: number;
  /** And those that it held within a line of that output. */
  readonly inLine: number;
}

/** Follows which names tools have told and who has spoken of them. */
export class Citations {
  /** The lines of tool output that hold a name, without line numbers. */
  readonly #told = new Map<string, Set<string>>();
  readonly #spoken = new Set<string>();

  /** Takes in what came before a request. */
  add(event: RecordedEvent): void {
    if (event.kind === "user") for (const name of namesIn(event.text)) this.#spoken.add(name);
    if (event.kind !== "result") return;
    for (const line of event.text.split("\n")) {
      for (const name of namesIn(line)) {
        const lines = this.#told.get(name);
        if (lines === undefined) this.#told.set(name, new Set([withoutNumber(line)]));
        else lines.add(withoutNumber(line));
      }
    }
  }

  /** Counts what an answer writes against what its request showed. From then on the names have been spoken of. */
  answer(answer: RecordedAssistant, view: InView): CitedCount {
    const count = { cited: 0, met: 0, inLine: 0 };
    for (const name of namesIn([answer.text, ...answer.calls.flatMap(({ args }) => stringsIn(args))].join("\n"))) {
      const lines = this.#spoken.has(name) ? undefined : this.#told.get(name);
      this.#spoken.add(name);
      if (lines === undefined) continue;
      const texts = [...view.holders(name)].map(contentOf);
      count.cited += 1;
      if (texts.length > 0) count.met += 1;
      if (someLine(lines, texts)) count.inLine += 1;
    }
    return count;
  }
}

function someLine(lines: ReadonlySet<string>, texts: readonly string[]): boolean {
  for (const line of lines) if (texts.some((text) => shows(text, line))) return true;
  return false;
}

/** Readers and searches number lines in ways of their own. */
export function withoutNumber(line: string): string {
  return line.replace(/^\s*\d+[→\t:|]/, "").trim();
}
