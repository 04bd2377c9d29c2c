import {
  chatId,
  type DocumentOf,
  everyVersion,
  isCmError,
  isDocumentOf,
  type ObjectStore,
  sessionObjectId,
  sessionOfReference,
  stepId,
  systemPromptId,
} from "@cm/object-model";
import { limits } from "../limits.ts";
import { readReadable } from "../path/read-readable.ts";
import type { Finding, Named } from "./finding.ts";
import { leftByImports } from "./left-by-import.ts";

/** The sessions that a bundle or an agent's file was being written into when the import was cut. One that runs now is among them. */
export async function* unfinishedImports(store: ObjectStore): AsyncGenerator<string> {
  for await (const { session, bundle } of importMarks(store)) if (bundle !== "continued") yield session;
}

/** What the lease of a session says of an import. */
interface ImportMark {
  readonly session: string;
  /** Undefined for the import of an agent's file, which writes each step with all that it names. */
  readonly bundle: DocumentOf<"lease">["bundle"];
}

/** Where a list of leases cannot be read, those that could be: a verification meets the damage itself. */
async function* importMarks(store: ObjectStore): AsyncGenerator<ImportMark> {
  let ids: string[] = [];
  try {
    for await (const { id } of everyVersion((page) => store.find({ type: "lease" }, page))) {
      ids.push(id);
      if (ids.length < limits.referencesPerRead) continue;
      yield* marksIn(store, ids);
      ids = [];
    }
  } catch (error) {
    if (!isCmError(error, "store/corrupt")) throw error;
  }
  yield* marksIn(store, ids);
}

async function* marksIn(store: ObjectStore, ids: readonly string[]): AsyncGenerator<ImportMark> {
  const { found } = await readReadable(store, ids);
  const ofFiles: DocumentOf<"lease">[] = [];
  for (const id of ids) {
    const document = found.get(id)?.document;
    if (!isDocumentOf(document, "lease")) continue;
    const { session_ref, bundle } = document;
    if (bundle === undefined) ofFiles.push(document);
    else yield { session: sessionOfReference(session_ref), bundle };
  }
  for (const session of await leftByImports(store, ofFiles)) yield { session, bundle: undefined };
}

/** What is not in a store because it did not come with a bundle, or has not come yet. */
export class ToCome {
  /** Sessions into which an import was cut. */
  readonly #cut = new Set<string>();
  /** Those of them whose steps came before their head: of a bundle. */
  readonly #unfinished = new Set<string>();
  readonly #heads = new Set<string>();
  /** Chats of sessions of which no new step is there: their calls come before the file versions that these name. */
  readonly #chats = new Set<string>();

  static async in(store: ObjectStore): Promise<ToCome> {
    const toCome = new ToCome();
    const ofBundles: string[] = [];
    for await (const { session, bundle } of importMarks(store)) {
      if (bundle !== "continued") toCome.#cut.add(session);
      if (bundle === "unfinished") toCome.#unfinished.add(session);
      if (bundle !== undefined) ofBundles.push(session);
    }
    for (const session of ofBundles) await toCome.#learn(store, session);
    return toCome;
  }

  get findings(): readonly Finding[] {
    return [...this.#cut].map((session) => ({
      id: sessionObjectId(session),
      type: "session",
      problem: "unfinished",
      detail: `an import of session ${session} was not finished; repeat it`,
    }));
  }

  /** Whether steps may stand behind the session's head. */
  isUnfinished(session: string): boolean {
    return this.#unfinished.has(session);
  }

  /** Whether what a document names, and is not there, is no loss. */
  has({ by, reference }: Named): boolean {
    return this.#heads.has(reference.id) || (by.chat !== undefined && this.#chats.has(by.chat));
  }

  async #learn(store: ObjectStore, session: string): Promise<void> {
    const heads = [sessionObjectId(session), chatId(session), systemPromptId(session)];
    const { found, unreadable } = await readReadable(store, heads);
    const head = found.get(sessionObjectId(session))?.document;
    // Heads that were there once are not to come: they were lost.
    if (heads.slice(0, 2).every((id) => !found.has(id) && !unreadable.has(id)))
      for (const id of heads) this.#heads.add(id);
    const first = stepId({ session, n: isDocumentOf(head, "session") ? head.next_step : 0 });
    const steps = await readReadable(store, [first]);
    const hasSteps = steps.found.has(first) || steps.unreadable.has(first);
    if (this.#unfinished.size > 0 && !hasSteps) this.#chats.add(chatId(session));
  }
}
