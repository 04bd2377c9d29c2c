import type { LogEntry, PromptDecision } from "@cm/context-log";
import { entryOf, erasedMark, OpenCalls, shownMessages, splitAtAnswer, toldEntries } from "@cm/context-log/state";
import type { DocumentOf } from "@cm/object-model";
import { type FlatPlaces, Unfit } from "./flat-places.ts";
import type { NamedTexts } from "./named-texts.ts";

/** The messages of a flat state's steps, each at its place in the log. */
export class PlacedMessages {
  readonly #places: FlatPlaces;
  readonly #texts: NamedTexts;

  constructor(places: FlatPlaces, texts: NamedTexts) {
    this.#places = places;
    this.#texts = texts;
  }

  /** The messages of the steps that were read, as they were recorded, each at its place; notes are put in later. */
  log(gapAt: number | null): LogEntry[] {
    const log = new Array<LogEntry>(this.#places.flat.rest.logLength);
    for (const [place, row] of this.#places.steps()) {
      const start = this.#places.start(place);
      const turn = this.#places.path[place - 1]?.turn ?? -1;
      const document = this.#texts.steps.get(place);
      if (row.isErased) {
        const at = { at: start, step: place, turn: Math.max(0, turn) };
        log[start] = { kind: "user", ...at, text: erasedMark, attachments: [] };
      } else if (document !== undefined) this.#messagesOf(place, document, { log, gapAt });
    }
    return log;
  }

  #messagesOf(
    step: number,
    document: DocumentOf<"step">,
    { log, gapAt }: { readonly log: LogEntry[]; readonly gapAt: number | null },
  ): void {
    const start = this.#places.start(step);
    // A step in another one's place has another hash, so nothing of what is read here was erased.
    const { before, after } = splitAtAnswer(shownMessages(document));
    let { turn, answered } = this.#places.path[step - 1] ?? { turn: -1, answered: true };
    if (gapAt !== null && gapAt < start)
      turn = document.turn - (before.some(({ message }) => message.role === "user") ? 1 : 0);
    const { resumed } = document;
    const decision = document.decision as PromptDecision;
    let at = start + (resumed === undefined || resumed.told === false ? 0 : 1);
    const openCalls = new OpenCalls();
    const calls = new Set<string>();
    const put = ({ message }: (typeof before)[number], number: number): void => {
      if (message.role === "user" && answered) [turn, answered] = [turn + 1, false];
      if (message.role === "assistant") answered = true;
      // Whose call it was is not known from this step alone.
      if (message.role === "tool" && this.#places.erased.has(message.object) && !calls.has(message.object))
        throw new Unfit();
      const entry = entryOf(
        message,
        { at, step: number, turn: Math.max(0, turn) },
        (id) => this.#texts.toolcalls.get(id),
        openCalls,
      );
      if (entry.kind === "assistant") {
        openCalls.asked(entry);
        for (const { object } of entry.calls) if (object !== undefined) calls.add(object);
      }
      log[at] = entry;
      at += 1;
    };
    for (const message of before) put(message, step);
    at += (decision.recall ?? []).length + toldEntries(decision, { at, step, turn, into: at }).length;
    for (const message of after) put(message, step + 1);
    if (at !== this.#places.row(step).end) throw new Unfit();
  }
}
