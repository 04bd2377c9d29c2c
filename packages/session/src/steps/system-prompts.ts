import { type Basis, isDocumentOf, type ObjectStore, systemPromptId } from "@cm/object-model";

/** A session's system prompt at some moment; undefined where it was erased. */
export type SystemPromptText = string | undefined;

/** The system prompt's text at a basis. */
export async function readSystemPrompt(store: ObjectStore, session: string, basis: Basis): Promise<SystemPromptText> {
  const id = systemPromptId(session);
  const document = (await store.getMany([id], basis)).get(id)?.document;
  return document !== undefined && isDocumentOf(document, "system_prompt") ? document.content : undefined;
}

/** System prompts for many steps. Most sessions never change theirs, and then one read answers for all. */
export class SystemPrompts {
  readonly #store: ObjectStore;
  readonly #onlyOnes = new Map<string, Promise<{ readonly text: SystemPromptText } | undefined>>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** At the transaction that wrote a step: it has the prompt that the step's request was made with. */
  async at(session: string, basis: Basis): Promise<SystemPromptText> {
    const known = this.#onlyOnes.get(session) ?? this.#onlyOne(session);
    this.#onlyOnes.set(session, known);
    const only = await known;
    return only === undefined ? readSystemPrompt(this.#store, session, basis) : only.text;
  }

  async #onlyOne(session: string): Promise<{ readonly text: SystemPromptText } | undefined> {
    const { versions } = await this.#store.history(systemPromptId(session), { documents: true, limit: 2 });
    const document = versions[0]?.document;
    if (versions.length > 1) return undefined;
    return { text: document !== undefined && isDocumentOf(document, "system_prompt") ? document.content : undefined };
  }
}
