import { type DialectName, dialects, type RawObject, type SessionEntry, type SessionHeader } from "@cm/journal";
import {
  type DocumentOf,
  isDocumentOf,
  type ObjectStore,
  type StepAddress,
  sessionObjectId,
  stepId,
  toolcallsIn,
} from "@cm/object-model";
import { sessionDamaged } from "../errors.ts";
import { readEntry } from "../journal/entry-text.ts";
import type { GoneTexts, ReadDocument } from "../journal/gone-texts.ts";
import { headerOf, readJournal, type StoredJournal } from "../journal/journal-documents.ts";
import { ownTypes } from "../journal/own-entries.ts";
import { type ForkedSession, forksOf } from "./forks-of.ts";
import { importedEntries } from "./imported-entries.ts";
import { readDocuments } from "./read-documents.ts";
import { freshId, stepEntries } from "./step-entries.ts";
import { type StoredStep, StoredSteps } from "./stored-steps.ts";

export interface ExportOptions {
  /** Whose file it is to be. */
  readonly as: DialectName;
  /** The folder that the file names, where the session does not know one. */
  readonly cwd: string;
}

/** What an export met; complete once its lines were read. */
export interface ExportFacts extends GoneTexts {
  entries: number;
  /** Sessions that began at its steps, and stand in the file as branches. */
  forks: number;
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
 * behind it the steps that came since; of one that was recorded live all its steps, those that it inherited, and the
 * forks that began at its own, each with a label that names it. The file's last line is at the session's newest step,
 * where the agent goes on.
 * @throws CmError `exchange/damaged`, `session/damaged`, or what the store throws
 */
export async function exportSession(
  store: ObjectStore,
  session: string,
  options: ExportOptions,
): Promise<SessionExport> {
  const version = (await store.getMany([sessionObjectId(session)])).get(sessionObjectId(session));
  if (!isDocumentOf(version?.document, "session")) throw sessionDamaged(session);
  const journal = await readJournal(store, session);
  const facts: ExportFacts = {
    entries: 0,
    forks: 0,
    erased: 0,
    missing: 0,
    redacted: journal?.document.redactions ?? 0,
  };
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

class FileWriting {
  readonly #store: ObjectStore;
  readonly #parts: WritingParts;
  readonly #ids = new Set<string>();
  /** The last entry of each step, by the step's id. */
  readonly #lastOf = new Map<string, string>();
  /** The instructions of each step, likewise. */
  readonly #promptOf = new Map<string, string | undefined>();
  readonly #steps: StoredSteps;
  #last: { readonly id: string; readonly timestamp: string } | undefined;

  constructor(store: ObjectStore, parts: WritingParts) {
    this.#store = store;
    this.#parts = parts;
    this.#steps = new StoredSteps(store);
  }

  async *lines(): AsyncGenerator<string> {
    const { journal, head, session } = this.#parts;
    for (const line of await this.#firstLines()) yield this.#line(line);
    yield* this.#journalLines();
    const isAsImported =
      this.#isOfEntries && head.next_step === journal?.document.next_step && isSame(head.head, journal.document.head);
    const imported = this.#last?.id;
    for await (const address of this.#furtherSteps()) yield* this.#stepLines(address);
    for (const fork of await forksOf(this.#store, session)) yield* this.#forkLines(fork);
    const leaf = isAsImported ? imported : this.#leafOf(head.head);
    if (!isAsImported) await this.#checkIsThere(head.head);
    if (isAsImported || head.pending?.messages === undefined) yield* this.#leafLines(leaf);
    else yield* this.#pendingLines({ session, head }, leaf);
  }

  /** What was said behind the newest step. */
  async *#pendingLines({ session, head }: ForkedSession, leaf = this.#leafOf(head.head)): AsyncGenerator<string> {
    const step = {
      messages: head.pending?.messages ?? [],
      n: head.next_step,
      recorded_at: this.#time(),
    };
    yield* this.#made({ session, step, parentId: leaf ?? null });
  }

  /** The last line is where the agent goes on. */
  *#leafLines(leaf: string | undefined): Generator<string> {
    if (leaf === undefined || leaf === this.#last?.id) return;
    const id = freshId(`${this.#parts.session} leaf ${leaf}`, this.#ids);
    yield this.#entryLine({
      ...{ type: "custom", id, parentId: leaf, timestamp: this.#timestamp(), customType: ownTypes.leaf },
      data: { v: 1 },
    });
  }

  /** A branch of the file. Its end, where one would go on with it, is named by its session. */
  async *#forkLines(fork: ForkedSession): AsyncGenerator<string> {
    const { session, head } = fork;
    const before = this.#last;
    for (let n = 0; n < head.next_step; n += 1) yield* this.#stepLines({ session, n });
    yield* this.#pendingLines(fork);
    const targetId = head.pending?.messages === undefined ? this.#leafOf(head.head) : this.#last?.id;
    if (targetId === undefined || this.#last === before) return;
    this.#parts.facts.forks += 1;
    const id = freshId(`${session} label`, this.#ids);
    const label = `fork ${session}`;
    yield this.#entryLine({ type: "label", id, parentId: targetId, timestamp: this.#timestamp(), targetId, label });
  }

  /** The header, and the title that oh-my-pi has before it: Pi takes no file that begins otherwise. */
  async #firstLines(): Promise<readonly object[]> {
    const { journal, session, head, options } = this.#parts;
    const content = journal?.document.content ?? null;
    if (content !== null) {
      const { header, before } = headerOf(content);
      const lines = options.as === "omp" ? [...before, header] : [header];
      return lines.map((line) => readEntry(line, new Map()));
    }
    const first = await this.#steps.at({ session, n: 0 });
    const timestamp = new Date(first?.document?.recorded_at ?? 0).toISOString();
    const origin = head.forked_from === undefined ? {} : { parentSession: head.forked_from.session };
    return [
      { type: "session", version: 3, id: session, timestamp, cwd: options.cwd, ...origin } satisfies SessionHeader,
    ];
  }

  /** Every entry of the file that it came from is kept, not its steps alone. */
  get #isOfEntries(): boolean {
    return (this.#parts.journal?.document.content ?? null) !== null;
  }

  async *#journalLines(): AsyncGenerator<string> {
    const { journal, session, facts } = this.#parts;
    const parts = journal?.document.part_count ?? 0;
    for await (const { entry, step } of importedEntries(this.#store, { session, parts, gone: facts })) {
      if (step !== undefined && typeof entry.id === "string") this.#lastOf.set(stepId({ session, n: step }), entry.id);
      yield this.#entryLine(entry);
    }
  }

  /** Steps that no entry stands for: those that the session inherited, and its own. */
  async *#furtherSteps(): AsyncGenerator<StepAddress> {
    const { session, head, journal } = this.#parts;
    if (head.forked_from !== undefined) yield* await this.#steps.pathTo(head.forked_from);
    const from = this.#isOfEntries ? (journal?.document.next_step ?? 0) : 0;
    for (let n = from; n < head.next_step; n += 1) yield { session, n };
  }

  async *#stepLines(address: StepAddress): AsyncGenerator<string> {
    const step = await this.#steps.at(address);
    if (step === undefined) return;
    const { document, parent } = step;
    await this.#checkIsThere(parent);
    const before = this.#leafOf(parent);
    if (document === undefined) {
      // What follows it continues the step before.
      if (before !== undefined) this.#lastOf.set(stepId(address), before);
      this.#parts.facts.erased += 1;
      return;
    }
    this.#parts.facts.redacted += document.redactions ?? 0;
    const parentId = (yield* this.#promptLine(step, before)) ?? before ?? null;
    yield* this.#made({ session: address.session, step: document, parentId });
    if (this.#last !== undefined) this.#lastOf.set(stepId(address), this.#last.id);
  }

  /** A branch that a bundle left may end anywhere; what something continues was lost. @throws CmError `exchange/damaged` */
  async #checkIsThere(address: StepAddress | null): Promise<void> {
    if (address === null || this.#leafOf(address) !== undefined) return;
    if ((await this.#steps.at(address)) === undefined) throw sessionDamaged(this.#parts.session);
  }

  /** The instructions, where they are others than those of the step before. @returns the id of their entry */
  async *#promptLine(
    { address, document, parent, systemPrompt }: StoredStep,
    before: string | undefined,
  ): AsyncGenerator<string, string | undefined> {
    this.#promptOf.set(stepId(address), systemPrompt);
    if (systemPrompt === undefined || systemPrompt === (await this.#promptAt(parent))) return undefined;
    const id = freshId(`${address.session} ${address.n} system prompt`, this.#ids);
    const timestamp = new Date(document?.requested_at ?? document?.recorded_at ?? 0).toISOString();
    const base = { id, parentId: before ?? null, timestamp };
    yield this.#entryLine(
      this.#parts.options.as === "omp"
        ? { type: "session_init", ...base, systemPrompt, task: "", tools: [] }
        : { type: "custom", ...base, customType: ownTypes.systemPrompt, data: { v: 1, systemPrompt } },
    );
    return id;
  }

  /** None before the first step. */
  async #promptAt(address: StepAddress | null): Promise<string | undefined> {
    if (address === null) return "";
    if (!this.#promptOf.has(stepId(address)))
      this.#promptOf.set(stepId(address), (await this.#steps.at(address))?.systemPrompt);
    return this.#promptOf.get(stepId(address));
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
    const calls = await readDocuments(this.#store, [...new Set([...toolcallsIn(messages), ...called])]);
    const found = [...calls.values()].flatMap((call) => (call === "missing" ? [] : [call]));
    const images = await readDocuments(this.#store, [...new Set([...messages, ...found].flatMap(attached))]);
    const documents = new Map<string, ReadDocument>([...calls, ...images]);
    for (const entry of stepEntries({ ...of, documents, ids: this.#ids, gone: this.#parts.facts }))
      yield this.#entryLine(entry as unknown as RawObject);
  }

  #leafOf(address: StepAddress | null): string | undefined {
    return address === null ? undefined : this.#lastOf.get(stepId(address));
  }

  #timestamp(): string {
    return this.#last?.timestamp ?? new Date(0).toISOString();
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
