import type { PromptMessage } from "@cm/context-log";
import type { RecordedEvent } from "@cm/recordings";
import type { InView, ViewChange } from "./in-view.ts";
import { contentOf } from "./prompt-texts.ts";

/** A text that must be in view: in one piece or, from when nothing shows it whole, line by line. */
interface Said {
  readonly chars: number;
  readonly text: string;
  whole: boolean;
}

interface Piece {
  readonly text: string;
  readonly said: Said;
}

/**
 * How much of what user and model said later requests still show. Each text knows the message that shows it, so only
 * texts whose message left are looked for again, and missing ones only in what is new.
 */
export class DialogueInView {
  readonly #new: Said[] = [];
  readonly #byWitness = new Map<string, Set<Piece>>();
  readonly #missing = new Set<Piece>();
  #chars = 0;
  #total = 0;
  #seen = 0;

  /** 1 where everything was seen each time. */
  get share(): number {
    return this.#total === 0 ? 1 : this.#seen / this.#total;
  }

  add(event: RecordedEvent): void {
    if (event.kind === "result" || event.text.trim() === "") return;
    this.#chars += event.text.length;
    this.#new.push({ chars: event.text.length, text: event.text, whole: true });
  }

  /** Counts one request. */
  request(view: InView, { entered, left }: ViewChange): void {
    const lost = left.flatMap(({ id }) => [...(this.#byWitness.get(id) ?? [])]);
    for (const { id } of left) this.#byWitness.delete(id);
    for (const piece of [...this.#missing]) this.#find(piece, entered);
    for (const piece of lost) this.#findAgain(piece, view.messages);
    for (const said of this.#new.splice(0)) this.#findAgain({ text: said.text, said }, view.messages);
    const out = new Set([...this.#missing].map(({ said }) => said));
    this.#total += this.#chars;
    this.#seen += this.#chars;
    for (const { chars } of out) this.#seen -= chars;
  }

  #findAgain(piece: Piece, messages: readonly PromptMessage[]): void {
    if (this.#find(piece, messages)) return;
    const { said } = piece;
    if (said.whole) {
      said.whole = false;
      const lines = new Set(said.text.split("\n").map((line) => line.trim()));
      for (const text of lines) this.#findAgain({ text, said }, messages);
    } else if (piece.text !== "") this.#missing.add(piece);
  }

  #find(piece: Piece, messages: readonly PromptMessage[]): boolean {
    const witness = messages.findLast((message) => contentOf(message).includes(piece.text));
    if (witness === undefined) return false;
    this.#missing.delete(piece);
    const witnessed = this.#byWitness.get(witness.id);
    if (witnessed === undefined) this.#byWitness.set(witness.id, new Set([piece]));
    else witnessed.add(piece);
    return true;
  }
}
