import { type DocumentOf, isDocumentOf, type ObjectStore, type StepAddress, stepId } from "@cm/object-model";
import { asWritten, readPath, readPathBack, SystemPrompts } from "@cm/step-log/load";

/** A step with its address and times, which its document does not hold. */
export interface StoredStep {
  readonly address: StepAddress;
  /** Undefined where it was erased as a whole. */
  readonly document: DocumentOf<"step"> | undefined;
  /** The step that it continues, also where it was erased. */
  readonly parent: StepAddress | null;
  /** The instructions of its request; undefined where they were erased. */
  readonly systemPrompt: string | undefined;
}

/** Steps of a store as a file tells them. */
export class StoredSteps {
  readonly #store: ObjectStore;
  readonly #prompts: SystemPrompts;

  constructor(store: ObjectStore) {
    this.#store = store;
    this.#prompts = new SystemPrompts(store);
  }

  /** Undefined where the store does not have it: a bundle brings no branches that were left. */
  async at(address: StepAddress): Promise<StoredStep | undefined> {
    const version = (await this.#store.getMany([stepId(address)])).get(stepId(address));
    if (version === undefined) return undefined;
    const document = isDocumentOf(version.document, "step") ? version.document : undefined;
    const moment = await asWritten(this.#store, version);
    return {
      ...{ address, document },
      parent: document === undefined ? await this.#before(address) : document.parent,
      systemPrompt: await this.#prompts.at(address.session, moment),
    };
  }

  /** The steps that lead to one, first one first, with it. */
  async pathTo(address: StepAddress): Promise<readonly StepAddress[]> {
    return (await readPath(this.#store, address)).map((step) => step.address);
  }

  async #before(erased: StepAddress): Promise<StepAddress | null> {
    const [, before] = await firstTwo(readPathBack(this.#store, erased, 2));
    return before?.address ?? null;
  }
}

async function firstTwo<T>(all: AsyncIterable<T>): Promise<readonly T[]> {
  const first: T[] = [];
  for await (const one of all) {
    first.push(one);
    if (first.length === 2) break;
  }
  return first;
}
