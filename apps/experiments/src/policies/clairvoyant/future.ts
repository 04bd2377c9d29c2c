import type { RecordedAssistant, RecordedEvent, Recording } from "@cm/recordings";
import { stringsIn } from "../../measure/citations.ts";
import { namesIn } from "../../measure/names.ts";
import { neededLines } from "../../measure/needed.ts";

/** The earlier texts that the rest of a recording will need. Calls count as the steps of a replay do, from 0. */
export interface Future {
  readonly calls: number;
  /** Lines that edits replace, each with the calls that do, ascending. */
  readonly lines: ReadonlyMap<string, readonly number[]>;
  /** Names that only tools had told, with the first call that writes each: after it the dialogue holds the name. */
  readonly names: ReadonlyMap<string, number>;
}

export function futureOf({ events }: Pick<Recording, "events">): Future {
  const lines = new Map<string, number[]>();
  const names = new Map<string, number>();
  const talk = new Talk();
  let call = 0;
  for (const event of events) {
    if (event.kind !== "assistant") {
      talk.hear(event);
      continue;
    }
    for (const line of neededLines(event)) lines.set(line, [...(lines.get(line) ?? []), call]);
    for (const name of talk.answer(event)) names.set(name, call);
    call += 1;
  }
  return { calls: call, lines, names };
}

/** The names that tools, user and model have written so far. */
class Talk {
  readonly #told = new Set<string>();
  readonly #spoken = new Set<string>();

  hear(event: Exclude<RecordedEvent, RecordedAssistant>): void {
    const heard = event.kind === "user" ? this.#spoken : this.#told;
    for (const name of namesIn(event.text)) heard.add(name);
  }

  /** The names that an answer takes from tools alone. */
  answer({ text, calls }: RecordedAssistant): readonly string[] {
    const written = namesIn([text, ...calls.flatMap(({ args }) => stringsIn(args))].join("\n"));
    const taken = [...written].filter((name) => this.#told.has(name) && !this.#spoken.has(name));
    for (const name of written) this.#spoken.add(name);
    return taken;
  }
}
