import { type ContextView, callOfPart, type PartForm, placeOfPart } from "@cm/context-log";
import { fileAbout, foldCandidatesInBytes, pinnableObjects } from "../log-index/fold-candidates.ts";
import { type LogParts, partsOf } from "../log-index/log-parts.ts";
import type { Part } from "../log-index/part.ts";
import type { FittedPrompt, WindowReason } from "./fitted-prompt.ts";
import { newestSteps } from "./omit-earlier.ts";

const reference: PartForm = { form: "reference" };

/** Which parts may become references, and in which order. */
export class FoldableParts {
  readonly parts: readonly WindowPart[];
  readonly #prompt: FittedPrompt;
  readonly #byKey: ReadonlyMap<string, WindowPart>;
  readonly #expired: ReadonlySet<string>;

  constructor(prompt: FittedPrompt, parts: readonly WindowPart[], expired: ReadonlySet<string>) {
    this.parts = parts;
    this.#prompt = prompt;
    this.#byKey = new Map(parts.map((part) => [part.key, part]));
    this.#expired = expired;
  }

  /** All that is not retained: where text is rewritten anyway, it goes along. */
  foldExpired(): void {
    for (const key of this.#expired) this.fold(key, "window: expired");
  }

  /** What was touched longest ago, and of that the oldest first, until the prompt is light enough. */
  foldOldest(bytesMax: number): void {
    const oldest = this.parts.toSorted((a, b) => a.touched - b.touched || a.at - b.at);
    for (const { key } of oldest) {
      if (this.#prompt.bytes <= bytesMax) return;
      this.fold(key, "window: least recently touched");
    }
  }

  /** With what points at it. Nothing, where any of that must stay. */
  fold(key: string, reason: WindowReason): void {
    if (this.#prompt.formOf(key).form !== "reference" && this.#mayFold(key))
      this.#prompt.shrink(key, reference, reason);
  }

  isPinned(part: WindowPart): boolean {
    return part.objects.some((id) => this.#prompt.isPinned(id));
  }

  #mayFold(key: string): boolean {
    const part = this.#byKey.get(key);
    if (part === undefined || part.isNewest || this.#prompt.isProtected(key)) return false;
    const mayGo = part.isArgs ? part.turn < this.#prompt.view.turn : !this.isPinned(part) || this.#expired.has(key);
    if (!mayGo) return false;
    return this.#prompt.pointingAt(key).every((pointing) => this.#mayFold(pointing));
  }
}

/** References that keep names or lines lose them, the oldest first. */
export function dropNames(prompt: FittedPrompt, bytesMax: number): void {
  if (prompt.bytes <= bytesMax) return;
  const named = [...prompt.forms()].flatMap(([key, form]) =>
    form.form === "reference" && (form.names !== undefined || form.lines !== undefined) ? [key] : [],
  );
  for (const key of named.sort((a, b) => placeOfPart(a) - placeOfPart(b))) {
    if (prompt.bytes <= bytesMax) return;
    prompt.shrink(key, reference, "window: names left out");
  }
}

/** A fold candidate, as the window sees it. */
interface WindowPart {
  readonly key: string;
  readonly at: number;
  readonly turn: number;
  readonly isArgs: boolean;
  /** The newest calls are always whole as long as anything else can give way. */
  readonly isNewest: boolean;
  readonly objects: readonly string[];
  /** The newest step that read or changed its file; its own where it has none. */
  readonly touched: number;
}

/**
 * The parts of a log that weigh less folded, those of the newest calls, and those that a decision gives other forms; in
 * the order of the log.
 */
export function partsInView(view: ContextView, decided: Iterable<string>): readonly WindowPart[] {
  const log = partsOf(view);
  const parts = new Map(foldCandidatesInBytes(view));
  for (const part of newest(view, log)) parts.set(part.key, part);
  for (const key of decided) {
    const part = log.partsAt(placeOfPart(key)).find((one) => one.key === key);
    if (part !== undefined) parts.set(key, part);
  }
  const inOrder = [...parts.values()].sort((a, b) => a.at - b.at || callOfPart(a.key) - callOfPart(b.key));
  return inOrder.map((part) => windowPart(view, log, part));
}

function windowPart(view: ContextView, log: LogParts, part: Part): WindowPart {
  const { key, at, turn, step, isArgs } = part;
  const file = fileAbout(view, part);
  return {
    ...{ key, at, turn, isArgs },
    isNewest: isNewest(view, part),
    objects: pinnableObjects(view, part),
    touched: Math.max(step, file === undefined ? -1 : (log.touchedAt.get(file) ?? -1)),
  };
}

function newest(view: ContextView, log: LogParts): readonly Part[] {
  const last = view.log.findLastIndex((entry) => !isNewest(view, entry));
  return view.log.slice(last + 1).flatMap(({ at }) => log.partsAt(at));
}

const isNewest = (view: ContextView, { step }: { readonly step: number }): boolean => step > view.step - newestSteps;
