import { isDocumentOf, type ObjectStore, sessionObjectId } from "@cm/object-model";
import type { RecordedAssistant, RecordedResult } from "@cm/recordings";
import { BatchStore } from "../batch/batch-store.ts";
import { EntryWriter } from "../journal/entry-text.ts";
import { journalPartWrite, journalWrite, type StoredJournal, type WrittenEntry } from "../journal/journal-documents.ts";
import { KnownTexts } from "../journal/text-references.ts";
import { limits } from "../limits.ts";
import { changed, EarlierImport } from "./earlier-import.ts";
import { markSum, marksText } from "./entry-marks.ts";
import type { ImportSessionOptions, ImportSessionReceipt } from "./import-options.ts";
import { recordedSession } from "./live-link.ts";
import { type FilePlace, PendingEntries } from "./pending-entries.ts";
import { type Group, type Position, type Said, startWith } from "./position.ts";
import type { Piece, SessionSource } from "./session-source.ts";
import { StepTaker } from "./step-taker.ts";
import { StepTexts } from "./step-texts.ts";

interface FlushOptions {
  /** Default: all so far. */
  readonly until?: FilePlace | undefined;
  readonly isLast?: boolean;
}

interface ImportParts {
  readonly source: SessionSource;
  readonly before: StoredJournal | undefined;
  readonly options: ImportSessionOptions;
}

/** One file on its way into a store. */
export class SessionImport {
  readonly #store: ObjectStore;
  readonly #batch: BatchStore;
  readonly #parts: ImportParts;
  readonly #taker: StepTaker;
  readonly #writer: EntryWriter;
  readonly #earlier: EarlierImport;
  readonly #entries = new PendingEntries();
  readonly #positions = new Map<string, Position>();
  #partCount: number;
  #newest: Date | undefined;
  readonly #start: Position;
  #last: Position;
  #open:
    | {
        readonly group: Group;
        readonly answer: RecordedAssistant;
        readonly results: RecordedResult[];
        readonly at: Position;
        /** How many entries stand before the answer. */
        readonly place: number;
        /** Up to the newest entry of it. */
        end?: FilePlace;
      }
    | undefined;
  /** Up to the newest entry of the newest step. */
  #recorded: FilePlace | undefined;
  /** When the newest step ended. */
  #stepTime: Date | undefined;
  /** From when the newest of what the store has of the file holds: an older version would never be read. */
  #flushed: Date | undefined;
  /** When the first step ended that is not written yet. */
  #since: Date | undefined;
  #expect: Parameters<typeof journalWrite>[1];
  #hasFlushed = false;
  /** Of all entries so far: the begin of the sum, and whose step it is. */
  readonly #marks: { readonly sum: string; readonly group: Group | undefined }[] = [];

  static async start(store: ObjectStore, parts: ImportParts): Promise<SessionImport> {
    return new SessionImport(store, await BatchStore.over(store), parts);
  }

  private constructor(store: ObjectStore, batch: BatchStore, parts: ImportParts) {
    this.#store = store;
    this.#batch = batch;
    this.#parts = parts;
    this.#writer = new EntryWriter(parts.options.redact);
    this.#start = startWith(parts.source.systemPrompt);
    this.#last = this.#start;
    this.#taker = new StepTaker(batch, parts);
    this.#partCount = parts.before?.document.part_count ?? 0;
    this.#expect = parts.before?.token ?? "absent";
    this.#earlier = new EarlierImport(store, parts.source, parts.before);
  }

  async toEnd(): Promise<ImportSessionReceipt> {
    const { source, before, options } = this.#parts;
    const { known } = this.#earlier;
    for await (const piece of source.pieces) {
      options.signal?.throwIfAborted();
      if (this.#entries.count === known) await this.#behindKnown();
      if (this.#entries.count >= known) {
        const live = this.#hasFlushed || before !== undefined ? undefined : await recordedSession(this.#store, piece);
        if (live !== undefined) return this.#receipt("recorded", live);
      }
      await this.#take(piece, this.#entries.count < known);
    }
    if (this.#entries.count < known) throw changed(source.session);
    const unchanged = this.#entries.count === known ? this.#unchanged() : undefined;
    if (unchanged !== undefined) {
      if (!(await this.#earlier.wasCut())) return unchanged;
      await this.#behindKnown();
    }
    await this.#finishOpen(false);
    await this.#flushEarlier(this.#newest);
    await this.#makeWayTo(this.#last);
    await this.#taker.close(this.#last);
    await this.#flush({ isLast: true });
    return unchanged ?? this.#receipt(before === undefined ? "imported" : "extended");
  }

  /** Nothing more is written. */
  async abandon(): Promise<void> {
    await this.#taker.abandon();
  }

  #unchanged(): ImportSessionReceipt {
    this.#earlier.checkUnchanged(this.#entries.sum);
    return this.#receipt(this.#entries.count === 0 ? "empty" : "unchanged");
  }

  #receipt(outcome: ImportSessionReceipt["outcome"], session = this.#parts.source.session): ImportSessionReceipt {
    const { source } = this.#parts;
    const wrote = outcome === "imported" || outcome === "extended";
    return {
      ...{ session, agent: source.agent, outcome },
      steps: wrote ? this.#taker.steps : 0,
      entries: wrote ? this.#entries.count - this.#earlier.known : 0,
      redactions: wrote ? this.#redactions : 0,
      warnings: source.warnings(),
    };
  }

  /** All that is known was read: from here on there is something to write. */
  async #behindKnown(): Promise<void> {
    await this.#finishOpen(true);
    this.#newest = await this.#earlier.checkGrown(this.#entries.sum);
    this.#stepTime = this.#newest;
    this.#flushed = this.#newest;
  }

  /** @param isKnown it is in the store, and only its place counts */
  async #take(piece: Piece, isKnown: boolean): Promise<void> {
    const parent = (piece.parent === null ? undefined : this.#positions.get(piece.parent)) ?? this.#start;
    const { event } = piece;
    let position = parent;
    let own: Group | undefined;
    if (event?.kind === "assistant") {
      await this.#finishOpen(isKnown);
      if (!isKnown) {
        await this.#flushEarlier(event.at);
        await this.#makeWayTo(parent);
      }
      own = { waiting: new Map(event.calls.map((call) => [call.id, call])) };
      position = { ...parent, group: own, said: undefined };
      this.#open = { group: own, answer: event, results: [], at: parent, place: this.#entries.count };
    } else if (event?.kind === "result") {
      const call = parent.group?.waiting.get(event.callId);
      const isOpen = this.#open !== undefined && this.#open.group === parent.group && parent.said === undefined;
      if (call !== undefined) parent.group?.waiting.delete(event.callId);
      if (call !== undefined && isOpen) {
        if (!isKnown) await this.#flushEarlier(event.at);
        own = parent.group;
        this.#open?.results.push(event);
      } else if (call !== undefined) position = { ...parent, said: { event, before: parent.said } };
    } else if (event?.kind === "user") position = { ...parent, said: { event, before: parent.said } };
    position = { ...position, systemPrompt: piece.systemPrompt ?? position.systemPrompt };
    this.#place(piece, position);
    if (this.#parts.source.header === undefined)
      this.#marks.push({ sum: markSum(this.#entries.sum), group: event?.kind === "assistant" ? own : undefined });
    if (!isKnown) await this.#keep(piece, own, position.said === parent.said ? undefined : position.said);
  }

  #place({ id, at, said, parent }: Piece, position: Position): void {
    if (id !== undefined) {
      // A node of which the file has two is the first one.
      if (!this.#positions.has(id) && id !== parent) this.#positions.set(id, position);
      this.#last = position;
    }
    this.#entries.read(said);
    if (at !== undefined && (this.#newest === undefined || at > this.#newest)) this.#newest = at;
    this.#taker.at = at ?? this.#taker.at;
  }

  async #keep({ entry, said: text }: Piece, group: Group | undefined, said: Said | undefined): Promise<void> {
    this.#entries.add(text, entry === undefined ? undefined : { entry, group, said });
    if (this.#open !== undefined && this.#open.group === group) this.#open.end = this.#entries.place;
    if (!this.#isFull) return;
    // What is open now is not part of it: its step is not there yet.
    if (this.#open === undefined) await this.#flush();
  }

  async #finishOpen(isKnown: boolean): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    if (isKnown) this.#taker.skip(open.group, this.#earlier.stepAt(open.place));
    else {
      await this.#flushOtherPrompt(open.at);
      await this.#taker.record(open);
    }
    this.#recorded = open.end ?? this.#entries.place;
    for (const { at } of [open.answer, ...open.results])
      if (at !== undefined && (this.#stepTime === undefined || at > this.#stepTime)) this.#stepTime = at;
    this.#since ??= this.#stepTime;
    for (let said = open.at.said; said !== undefined && said.takenBy === undefined; said = said.before)
      said.takenBy = open.group;
    if (this.#isFull) await this.#flush();
  }

  /** No step holds from more than a minute after its end. Entries behind the newest step go with the next one. */
  async #flushEarlier(at: Date | undefined): Promise<void> {
    const isLater = at !== undefined && this.#since !== undefined && at.getTime() - this.#since.getTime() >= minuteMs;
    if (isLater && this.#batch.size > 0) await this.#flush({ until: this.#recorded });
  }

  /** A store has one version of the instructions for each commit. */
  async #flushOtherPrompt({ systemPrompt }: Position): Promise<void> {
    const isOther = this.#taker.systemPrompt !== systemPrompt && this.#recorded !== undefined;
    if (isOther && this.#batch.size > 0) await this.#flush({ until: this.#recorded });
  }

  /** Going back reads what was written. */
  async #makeWayTo(position: Position): Promise<void> {
    if (this.#batch.size > 0 && !this.#taker.leadsTo(position)) await this.#flush();
  }

  get #redactions(): number {
    return this.#taker.redactions + this.#writer.redactions;
  }

  get #isFull(): boolean {
    const { batchCharsMax = limits.batchCharsMax } = this.#parts.options;
    return (
      this.#entries.chars >= Math.min(batchCharsMax, limits.batchCharsMax) ||
      this.#batch.size >= limits.batchDocumentsMax
    );
  }

  /** The steps so far with the entries that they came from, in one commit. */
  async #flush({ until = this.#entries.place, isLast = false }: FlushOptions = {}): Promise<void> {
    const { source, options } = this.#parts;
    const { session, agent } = source;
    await this.#taker.begin();
    const head = this.#batch.gathered(sessionObjectId(session));
    const now = options.now?.() ?? Date.now();
    const texts = new StepTexts(this.#batch, session);
    const { place, pending } = this.#entries.take(until);
    const entries = pending.map(({ entry, group, said }): WrittenEntry => {
      const known = texts.of(group?.n ?? said?.takenBy?.n);
      return { entry: this.#writer.write(entry, known), step: group?.n };
    });
    const none = new KnownTexts();
    const parts = entries.length === 0 ? [] : [journalPartWrite(session, this.#partCount, entries)];
    this.#partCount += parts.length;
    const first = source.header === undefined ? [] : [...(source.titles ?? []), source.header];
    const header = first.map((line) => this.#writer.write(line, none));
    const facts = {
      ...{ session, agent, entries: place.entries, sum: place.sum, parts: this.#partCount },
      marks: isLast && source.header === undefined ? this.#marksText() : undefined,
      redactions: (this.#parts.before?.document.redactions ?? 0) + this.#redactions,
      header,
      ...this.#taker.stand(isDocumentOf(head, "session") ? head : undefined),
    };
    const from = isLast ? this.#newest : (this.#stepTime ?? this.#newest);
    const earliestMs = this.#flushed?.getTime() ?? Number.NEGATIVE_INFINITY;
    const validTime = from === undefined ? undefined : new Date(Math.max(Math.min(from.getTime(), now), earliestMs));
    this.#flushed = await this.#batch.flush([...parts, journalWrite(facts, this.#expect)], validTime);
    this.#expect = "any";
    this.#hasFlushed = true;
    this.#since = undefined;
    options.onProgress?.({ steps: this.#taker.steps, entries: place.entries });
  }

  #marksText(): string {
    return marksText(this.#marks.map(({ sum, group }) => ({ sum, step: group?.n })));
  }
}

const minuteMs = 60_000;
