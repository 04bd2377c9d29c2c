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

/** The sessions that a bundle was being written into when the import was cut. One that runs now is among them. */
export async function* unfinishedImports(store: ObjectStore): AsyncGenerator<string> {
  for await (const { session, bundle } of bundleMarks(store)) if (bundle === "unfinished") yield session;
}

interface BundleMark {
  readonly session: string;
  readonly bundle: NonNullable<DocumentOf<"lease">["bundle"]>;
}

/** Where a list of leases cannot be read, those that could be: a verification meets the damage itself. */
async function* bundleMarks(store: ObjectStore): AsyncGenerator<BundleMark> {
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

async function* marksIn(store: ObjectStore, ids: readonly string[]): AsyncGenerator<BundleMark> {
  const { found } = await readReadable(store, ids);
  for (const id of ids) {
    const document = found.get(id)?.document;
    if (!isDocumentOf(document, "lease") || document.bundle === undefined) continue;
    yield { session: sessionOfReference(document.session_ref), bundle: document.bundle };
  }
}

/** What is not in a store because it did not come with a bundle, or has not come yet. */
export class ToCome {
  readonly #unfinished = new Set<string>();
  readonly #heads = new Set<string>();
  /** Chats of sessions of which no new step is there: their calls come before the file versions that these name. */
  readonly #chats = new Set<string>();

  static async in(store: ObjectStore): Promise<ToCome> {
    const toCome = new ToCome();
    const marks: BundleMark[] = [];
    for await (const mark of bundleMarks(store)) marks.push(mark);
    for (const { session, bundle } of marks) if (bundle === "unfinished") toCome.#unfinished.add(session);
    for (const { session } of marks) await toCome.#learn(store, session);
    return toCome;
  }

  get findings(): readonly Finding[] {
    return [...this.#unfinished].map((session) => ({
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
