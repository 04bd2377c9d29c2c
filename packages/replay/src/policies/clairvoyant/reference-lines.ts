import { type ContextView, type PromptMessage, resultPart } from "@cm/context-log";
import { contentOf } from "../../measure/prompt-texts.ts";
import { shows } from "../../measure/shows.ts";
import { placeOf } from "../part-sizes.ts";
import type { Future } from "./future.ts";

/** Lines to come that references show, because a name in them stays. Each message is searched once. */
export class ReferenceLines {
  readonly #future: Future;
  readonly #lines = new WeakMap<PromptMessage, readonly string[]>();

  constructor(future: Future) {
    this.#future = future;
  }

  /** Those of the request that was sent last: what is a reference there stays one. */
  in({ sent, forms, log }: ContextView): ReadonlySet<string> {
    const recalls = new Set(log.flatMap((entry) => (entry.kind === "recalled" ? [entry.into] : [])));
    const found = new Set<string>();
    for (const message of sent?.messages ?? []) {
      const at = placeOf(message);
      if (at === undefined || recalls.has(at) || forms.get(resultPart(at))?.form !== "reference") continue;
      for (const line of this.#linesIn(message)) found.add(line);
    }
    return found;
  }

  #linesIn(message: PromptMessage): readonly string[] {
    const known = this.#lines.get(message);
    if (known !== undefined) return known;
    const content = contentOf(message);
    const lines = [...this.#future.lines.keys()].filter((line) => shows(content, line));
    this.#lines.set(message, lines);
    return lines;
  }
}
