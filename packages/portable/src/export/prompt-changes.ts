import {
  type Basis,
  everyVersion,
  type ListedVersion,
  type ObjectStore,
  type StoredVersion,
  systemPromptId,
} from "@cm/object-model";
import type { ObjectLine } from "./object-lines.ts";
import { lineOf } from "./object-lines.ts";

/**
 * System prompts of a session as its steps follow each other. A past prompt reads the system prompt at the transaction
 * that wrote its step, so each change has to stand before the first step that was made with it.
 */
export class PromptChanges {
  readonly #store: ObjectStore;
  readonly #id: string;
  #newest: Promise<readonly ListedVersion[]> | undefined;
  /** Token of the version that was given last; empty where it was erased or is missing. */
  #given: string | undefined;

  constructor(store: ObjectStore, session: string) {
    this.#store = store;
    this.#id = systemPromptId(session);
  }

  /** What changed since it was asked before; undefined for nothing. */
  async until(basis: Basis): Promise<ObjectLine | undefined> {
    this.#newest ??= newestVersions(this.#store, this.#id);
    // Most sessions never change theirs, and then nothing has to be read for each step.
    if (this.#given !== undefined && (await this.#newest).length <= 1) return undefined;
    const version = (await this.#store.getMany([this.#id], basis)).get(this.#id);
    const token = version?.document === undefined ? "" : version.token;
    if (token === this.#given) return undefined;
    this.#given = token;
    return (version === undefined ? undefined : lineOf(version)) ?? erasedPrompt(this.#id, version);
  }
}

async function newestVersions(store: ObjectStore, id: string): Promise<readonly ListedVersion[]> {
  const versions: ListedVersion[] = [];
  for await (const version of everyVersion((page) => store.history(id, { ...page, limit: 2 }))) {
    versions.push(version);
    if (versions.length > 1) break;
  }
  return versions;
}

function erasedPrompt(id: string, version: StoredVersion | undefined): ObjectLine {
  const { contentHash } = version ?? {};
  return {
    ...(contentHash === undefined ? {} : { content_hash: contentHash }),
    id,
    kind: "erased",
    of: "system_prompt",
  };
}
