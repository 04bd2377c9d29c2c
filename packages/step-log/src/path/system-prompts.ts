import {
  type Basis,
  erasedObjectsAmong,
  everyVersion,
  isDocumentOf,
  type ListedVersion,
  type ObjectStore,
  type StoredVersion,
  systemPromptId,
} from "@cm/object-model";

/** A session's system prompt at some moment; undefined where it was erased, or lost. */
export type SystemPromptText = string | undefined;

/** The transaction that wrote a step, and its time. */
export interface Moment {
  readonly basis: Basis;
  readonly transactionTime: Date;
}

/** The system prompt's text at a basis. */
export async function readSystemPrompt(store: ObjectStore, session: string, basis: Basis): Promise<SystemPromptText> {
  const id = systemPromptId(session);
  return textOf((await store.getMany([id], basis)).get(id));
}

/** Whether a system prompt that has no text at a basis was lost: nothing says that it was erased, here or before it came here. */
export async function isPromptLost(store: ObjectStore, session: string, basis: Basis): Promise<boolean> {
  const id = systemPromptId(session);
  const version = (await store.getMany([id], basis)).get(id);
  if (version !== undefined) return version.erased === undefined && textOf(version) === undefined;
  return !(await erasedObjectsAmong(store, [id])).has(id);
}

/** System prompts for many steps. Most sessions never change theirs, and then one read answers for all. */
export class SystemPrompts {
  readonly #store: ObjectStore;
  readonly #at: Basis | undefined;
  readonly #newest = new Map<string, Promise<StoredVersion | undefined>>();
  readonly #stamps = new Map<string, Promise<readonly ListedVersion[]>>();
  /** By the transaction that wrote them. */
  readonly #texts = new Map<string, SystemPromptText>();

  /** @param at where the newest version is looked for; by default now */
  constructor(store: ObjectStore, at?: Basis) {
    this.#store = store;
    this.#at = at;
  }

  /** The newest text of all. */
  async newest(session: string): Promise<SystemPromptText> {
    return textOf(await this.#newestVersion(session));
  }

  /** At the transaction that wrote a step: it has the prompt that the step's request was made with. */
  async at(session: string, moment: Moment): Promise<SystemPromptText> {
    const newest = await this.#newestVersion(session);
    if (newest !== undefined && wasThere(newest, moment) === true) return textOf(newest);
    const stamps = await this.#stampsOf(session);
    const stamp = stamps.find((one) => wasThere(one, moment) !== false);
    const key = `${session} ${stamp?.basis}`;
    // Written in the same millisecond as the step: only the store can tell which of them was first.
    const isSure = stamp !== undefined && wasThere(stamp, moment) === true;
    if (isSure && this.#texts.has(key)) return this.#texts.get(key);
    const text = await readSystemPrompt(this.#store, session, moment.basis);
    if (isSure) this.#texts.set(key, text);
    return text;
  }

  #newestVersion(session: string): Promise<StoredVersion | undefined> {
    const id = systemPromptId(session);
    return kept(this.#newest, session, async () => (await this.#store.getMany([id], this.#at)).get(id));
  }

  /** Without documents, newest first. */
  #stampsOf(session: string): Promise<readonly ListedVersion[]> {
    const id = systemPromptId(session);
    return kept(this.#stamps, session, async () => {
      const stamps: ListedVersion[] = [];
      for await (const stamp of everyVersion((page) => this.#store.history(id, page))) stamps.push(stamp);
      return stamps;
    });
  }
}

/** Undefined where times do not tell: transaction times never run backwards, but two may be the same. */
function wasThere({ basis, transactionTime }: ListedVersion | StoredVersion, moment: Moment): boolean | undefined {
  if (basis === moment.basis) return true;
  const ahead = moment.transactionTime.getTime() - transactionTime.getTime();
  return ahead === 0 ? undefined : ahead > 0;
}

function textOf(version: StoredVersion | undefined): SystemPromptText {
  const document = version?.document;
  return document !== undefined && isDocumentOf(document, "system_prompt") ? document.content : undefined;
}

function kept<T>(answers: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const known = answers.get(key) ?? ask();
  answers.set(key, known);
  return known;
}
