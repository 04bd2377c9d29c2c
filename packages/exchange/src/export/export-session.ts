import { type DialectName, dialects, type RawObject, type SessionEntry, type SessionHeader } from "@cm/journal";
import {
  chatId,
  type DocumentOf,
  isDocumentOf,
  journalPartId,
  type ObjectDocument,
  type ObjectStore,
  type StepAddress,
  sessionObjectId,
  stepId,
  toolcallsIn,
} from "@cm/object-model";
import { exchangeError } from "../errors.ts";
import { readEntry, referredIds } from "../journal/entry-text.ts";
import { entriesOfPart, headerOf, readJournal, type StoredJournal } from "../journal/journal-documents.ts";
import { freshId, stepEntries } from "./step-entries.ts";

export interface ExportOptions {
  /** Whose file it is to be. */
  readonly as: DialectName;
  /** The folder that the file names, where the session does not know one. */
  readonly cwd: string;
}

/** What an export met; complete once its lines were read. */
export interface ExportFacts {
  entries: number;
  /** Texts that were erased from the store: `[erased]` stands for them. */
  erased: number;
  /** Secrets that a redactor had taken out before the session was stored. */
  redacted: number;
}

export interface SessionExport {
  readonly session: string;
  /** Each with its line break. Read them once. */
  readonly lines: AsyncIterable<string>;
  readonly facts: ExportFacts;
}

/**
 * A session of a store as a session file of Pi or oh-my-pi: what an imported one had in its file, entry by entry, and
 * behind it the steps that came since; of one that was recorded live all its steps, and those that it inherited. The
 * file's last line is at the session's newest step, where the agent goes on.
 * @throws CmError `exchange/damaged`, `session/damaged`, or what the store throws
 */
export async function exportSession(
  store: ObjectStore,
  session: string,
  options: ExportOptions,
): Promise<SessionExport> {
  const version = (await store.getMany([sessionObjectId(session)])).get(sessionObjectId(session));
  if (!isDocumentOf(version?.document, "session")) throw damaged(session);
  const journal = await readJournal(store, session);
  const facts: ExportFacts = { entries: 0, erased: 0, redacted: journal?.document.redactions ?? 0 };
  const writing = new FileWriting(store, { session, head: version.document, journal, facts, options });
  return { session, lines: writing.lines(), facts };
}

interface WritingParts {
  readonly session: string;
  readonly head: DocumentOf<"session">;
  readonly journal: StoredJournal | undefined;
  readonly facts: ExportFacts;
  readonly options: ExportOptions;
}

/** Names the leaf where it is not the last line: it never reaches the model. */
export const leafType = "cm-leaf";

class FileWriting {
  readonly #store: ObjectStore;
  readonly #parts: WritingParts;
  readonly #ids = new Set<string>();
  /** The last entry of each step, by the step's id. */
  readonly #lastOf = new Map<string, string>();
  #last: { readonly id: string; readonly timestamp: string } | undefined;

  constructor(store: ObjectStore, parts: WritingParts) {
    this.#store = store;
    this.#parts = parts;
  }

  async *lines(): AsyncGenerator<string> {
    const { journal, head, session } = this.#parts;
    for (const line of await this.#firstLines()) yield this.#line(line);
    yield* this.#journalLines();
    const isAsImported =
      journal !== undefined &&
      head.next_step === journal.document.next_step &&
      isSame(head.head, journal.document.head);
    for await (const address of this.#furtherSteps()) yield* this.#stepLines(address);
    const pending = isAsImported && journal.document.content !== null ? [] : (head.pending?.messages ?? []);
    const leaf = isAsImported && journal.document.content !== null ? this.#last?.id : this.#leafOf(head.head);
    if (pending.length > 0) {
      const step = { messages: pending, n: head.next_step, recorded_at: this.#time(), usage: undefined };
      yield* this.#made({ session, step, parentId: leaf ?? null });
    } else if (leaf !== undefined && leaf !== this.#last?.id) {
      const id = freshId(`${session} leaf ${leaf}`, this.#ids);
      const timestamp = this.#last?.timestamp ?? new Date(0).toISOString();
      yield this.#entryLine({ type: "custom", id, parentId: leaf, timestamp, customType: leafType, data: { v: 1 } });
    }
  }

  /** The header, and the title that oh-my-pi has before it: Pi takes no file that begins otherwise. */
  async #firstLines(): Promise<readonly object[]> {
    const { journal, session, options } = this.#parts;
    const content = journal?.document.content ?? null;
    if (content !== null) {
      const { header, before } = headerOf(content);
      const lines = options.as === "omp" ? [...before, header] : [header];
      return lines.map((line) => readEntry(line, new Map()).entry);
    }
    const first = (await this.#store.getMany([stepId({ session, n: 0 })])).get(stepId({ session, n: 0 }))?.document;
    const timestamp = new Date(isDocumentOf(first, "step") ? first.recorded_at : 0).toISOString();
    return [{ type: "session", version: 3, id: session, timestamp, cwd: options.cwd } satisfies SessionHeader];
  }

  async *#journalLines(): AsyncGenerator<string> {
    const { journal, session, facts } = this.#parts;
    for (let n = 0; n < (journal?.document.part_count ?? 0); n += 1) {
      const part = (await this.#store.getMany([journalPartId(session, n)])).get(journalPartId(session, n))?.document;
      if (!isDocumentOf(part, "journal_part")) throw damaged(session);
      const entries = this.#entriesOf(part);
      const ids = new Set<string>();
      for (const { entry } of entries) referredIds(entry, ids);
      const documents = await this.#ownDocuments([...ids]);
      for (const { entry: written, step } of entries) {
        const { entry, erased } = readEntry(written, documents);
        facts.erased += erased;
        const { id } = entry;
        if (step !== undefined && typeof id === "string") this.#lastOf.set(stepId({ session, n: step }), id);
        yield this.#entryLine(entry);
      }
    }
  }

  /** Steps that no entry stands for: those that the session inherited, and its own. */
  async *#furtherSteps(): AsyncGenerator<StepAddress> {
    const { session, head, journal } = this.#parts;
    if (head.forked_from !== undefined) yield* await this.#inherited(head.forked_from);
    const from = journal === undefined || journal.document.content === null ? 0 : journal.document.next_step;
    for (let n = from; n < head.next_step; n += 1) yield { session, n };
  }

  async #inherited(newest: StepAddress): Promise<readonly StepAddress[]> {
    const path: StepAddress[] = [];
    for (let address: StepAddress | null = newest; address !== null; ) {
      path.push(address);
      address = (await this.#step(address))?.parent ?? null;
    }
    return path.reverse();
  }

  async #step(address: StepAddress): Promise<DocumentOf<"step"> | undefined> {
    const document = (await this.#store.getMany([stepId(address)])).get(stepId(address))?.document;
    return isDocumentOf(document, "step") ? document : undefined;
  }

  async *#stepLines(address: StepAddress): AsyncGenerator<string> {
    const step = await this.#step(address);
    if (step === undefined) {
      this.#parts.facts.erased += 1;
      return;
    }
    const parentId = this.#leafOf(step.parent) ?? null;
    this.#parts.facts.redacted += step.redactions ?? 0;
    yield* this.#made({ session: address.session, step, parentId });
    if (this.#last !== undefined) this.#lastOf.set(stepId(address), this.#last.id);
  }

  async *#made(of: Pick<Parameters<typeof stepEntries>[0], "session" | "step" | "parentId">): AsyncGenerator<string> {
    const attached = (holder: object) =>
      "attachments" in holder && Array.isArray(holder.attachments)
        ? holder.attachments.map(({ sha256 }) => `attachment:${sha256}`)
        : [];
    const { messages } = of.step;
    const called = messages.flatMap((message) =>
      message.role === "assistant" ? (message.calls ?? []).flatMap(({ object }) => object ?? []) : [],
    );
    const calls = await this.#documents([...new Set([...toolcallsIn(messages), ...called])]);
    const images = await this.#documents([...new Set([...messages, ...calls.values()].flatMap(attached))]);
    const documents = new Map([...calls, ...images]);
    const { entries, erased } = stepEntries({ ...of, documents, ids: this.#ids });
    this.#parts.facts.erased += erased;
    for (const entry of entries) yield this.#entryLine(entry as unknown as RawObject);
  }

  #leafOf(address: StepAddress | null): string | undefined {
    return address === null ? undefined : this.#lastOf.get(stepId(address));
  }

  /** A part may have come in a bundle of a stranger: it refers to nothing of other sessions. */
  async #ownDocuments(ids: readonly string[]): Promise<ReadonlyMap<string, ObjectDocument>> {
    const { session } = this.#parts;
    const owners: readonly unknown[] = [sessionObjectId(session), chatId(session)];
    const isOwn = ({ type, session_ref, chat_ref }: ObjectDocument) =>
      type === "attachment" || owners.includes(session_ref ?? chat_ref);
    return new Map([...(await this.#documents(ids))].filter(([, document]) => isOwn(document)));
  }

  #entriesOf(part: DocumentOf<"journal_part">): ReturnType<typeof entriesOfPart> {
    try {
      return entriesOfPart(part);
    } catch {
      throw damaged(this.#parts.session);
    }
  }

  async #documents(ids: readonly string[]): Promise<ReadonlyMap<string, ObjectDocument>> {
    const found = ids.length === 0 ? new Map() : await this.#store.getMany(ids);
    return new Map(
      [...found].flatMap(([id, { document }]) => (document === undefined ? [] : [[id, document] as const])),
    );
  }

  #time(): number {
    const time = Date.parse(this.#last?.timestamp ?? "");
    return Number.isNaN(time) ? 0 : time;
  }

  #entryLine(entry: RawObject): string {
    const { id, timestamp } = entry;
    if (typeof id === "string") {
      this.#ids.add(id);
      this.#last = { id, timestamp: typeof timestamp === "string" ? timestamp : new Date(0).toISOString() };
    }
    this.#parts.facts.entries += 1;
    return this.#line(dialects[this.#parts.options.as].encode(entry as unknown as SessionEntry));
  }

  #line(value: object): string {
    return `${JSON.stringify(value)}\n`;
  }
}

const isSame = (a: StepAddress | null, b: StepAddress | null): boolean => a?.session === b?.session && a?.n === b?.n;

const damaged = (session: string) =>
  exchangeError("exchange/damaged", `Session ${session} cannot be read from the store; run a verification of it.`, {
    session,
  });
