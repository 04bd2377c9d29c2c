import {
  type ContextView,
  messageBytes,
  type PartForm,
  type PromptDecision,
  placeOfPart,
  type RenderedPrompt,
  rangesOf,
} from "@cm/context-log";
import { nonEmpty } from "@cm/object-model";
import { logPlaces } from "../../layouts/log/log-places.ts";
import { saidMessage } from "../../layouts/ssot.ts";
import { type CutPrompt, cutReason } from "./cut-texts.ts";
import { type LeavingPrompt, lineBytesMax } from "./omit-earlier.ts";

type Forms = NonNullable<PromptDecision["forms"]>;

/**
 * A prompt under layouts `ssot` whose messages are known with their weights: those of the conversation may leave it as a
 * whole, and what was said and asked for may be cut.
 */
export class WeighedChat implements LeavingPrompt, CutPrompt {
  readonly view: ContextView;
  readonly #weights = new Map<number, number>();
  readonly #omitted = new Set<number>();
  readonly #forms: Map<string, PartForm>;
  /** Parts that were cut now. */
  readonly #cut = new Set<string>();
  #bytes = 0;

  constructor(view: ContextView, messages: RenderedPrompt["messages"], forms: Forms = {}) {
    this.view = view;
    this.#forms = new Map(Object.entries(forms));
    for (const message of messages) {
      const bytes = messageBytes(message);
      this.#bytes += bytes;
      // A message of the log is named by its place, all others by words.
      const at = /^[0-9]+/.exec(message.id)?.[0];
      if (at !== undefined) this.#weights.set(Number(at), bytes);
    }
  }

  get bytes(): number {
    return this.#bytes + (this.#omitted.size === 0 ? 0 : lineBytesMax);
  }

  /** Other messages became so much less. */
  lighten(bytes: number): void {
    this.#bytes -= bytes;
  }

  bytesAt(place: number): number {
    return this.#omitted.has(place) ? 0 : (this.#weights.get(place) ?? 0);
  }

  /** Pinned objects stand in a message of their own. */
  pinnedAt(): readonly string[] {
    return [];
  }

  isOmitted(place: number): boolean {
    return this.#omitted.has(place);
  }

  omit(places: readonly number[]): void {
    const notes = places.flatMap((place) => logPlaces(this.view).notesInto(place));
    for (const place of [...places, ...notes.map(({ at }) => at)]) this.#bytes -= this.bytesAt(place);
    for (const place of places) this.#omitted.add(place);
  }

  shrink(part: string, form: PartForm): number {
    const place = placeOfPart(part);
    const entry = this.view.log[place];
    if (entry?.kind !== "user" && entry?.kind !== "assistant") return 0;
    const formOf = (other: string): PartForm | undefined => (other === part ? form : this.#forms.get(other));
    const bytes = messageBytes(saidMessage(this.view, entry, formOf));
    const saved = this.bytesAt(place) - bytes;
    if (saved <= 0) return 0;
    this.#forms.set(part, form);
    this.#weights.set(place, bytes);
    this.#bytes -= saved;
    this.#cut.add(part);
    return saved;
  }

  /** What left and what is cut, as a decision says it. */
  get changes(): Pick<PromptDecision, "omit" | "forms" | "fold" | "reasons"> {
    const stands = (part: string): boolean => !this.#omitted.has(placeOfPart(part));
    const forms = [...this.#forms].filter(([part]) => stands(part));
    const cut = [...this.#cut].filter(stands);
    const left = [...this.#omitted].sort((a, b) => a - b);
    const wasSent = (place: number): boolean => (this.view.log[place]?.step ?? this.view.step) < this.view.step;
    const rewritten = [...left, ...cut.map(placeOfPart).filter(wasSent)];
    const reasons = nonEmpty({ [cutReason]: cut, "window: earlier turns left out": left.slice(0, 1).map(String) });
    return {
      ...nonEmpty({ omit: rangesOf(this.view.log, left) }),
      ...(forms.length === 0 ? {} : { forms: Object.fromEntries(forms) }),
      ...(rewritten.length === 0 ? {} : { fold: { cut: Math.min(...rewritten), reason: "window" } }),
      ...(left.length + cut.length === 0 ? {} : { reasons }),
    };
  }
}
