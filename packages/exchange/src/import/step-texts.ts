import { type DocumentOf, isDocumentOf, type ObjectDocument, stepId, toolcallsIn } from "@cm/object-model";
import type { BatchStore } from "../batch/batch-store.ts";
import { KnownTexts } from "../journal/text-references.ts";

/** The texts of the steps of one batch: entries refer to them in place of saying them again. */
export class StepTexts {
  readonly #batch: BatchStore;
  readonly #session: string;
  readonly #known = new Map<number | undefined, KnownTexts>();

  constructor(batch: BatchStore, session: string) {
    this.#batch = batch;
    this.#session = session;
  }

  of(n: number | undefined): KnownTexts {
    const known = this.#known.get(n) ?? this.#read(n);
    this.#known.set(n, known);
    return known;
  }

  #read(n: number | undefined): KnownTexts {
    const known = new KnownTexts();
    const step = n === undefined ? undefined : this.#batch.gathered(stepId({ session: this.#session, n }));
    if (!isDocumentOf(step, "step")) return known;
    for (const document of [step, ...this.#namedBy(step)]) known.add(document);
    return known;
  }

  #namedBy({ messages }: DocumentOf<"step">): readonly ObjectDocument[] {
    const calls = toolcallsIn(messages).flatMap((id) => this.#batch.gathered(id) ?? []);
    const attached = [...messages, ...calls].flatMap((holder) =>
      "attachments" in holder && Array.isArray(holder.attachments) ? holder.attachments : [],
    );
    return [...calls, ...attached.flatMap(({ sha256 }) => this.#batch.gathered(`attachment:${sha256}`) ?? [])];
  }
}
