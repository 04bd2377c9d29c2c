import { createHash } from "node:crypto";
import {
  type DocumentOf,
  importOwner,
  isDocumentOf,
  leaseId,
  type ObjectDocument,
  type ObjectStore,
  sessionObjectId,
  stepId,
  toolcallsIn,
} from "@cm/object-model";
import type { RecordedAssistant, RecordedResult } from "@cm/recordings";
import { BatchStore } from "../batch/batch-store.ts";
import { exchangeError } from "../errors.ts";
import { EntryWriter } from "../journal/entry-text.ts";
import { journalPartWrite, journalWrite, type StoredJournal, type WrittenEntry } from "../journal/journal-documents.ts";
import { KnownTexts } from "../journal/text-references.ts";
import { limits } from "../limits.ts";
import { type EntryMark, knownPieces, markSum, marksIn, marksText } from "./entry-marks.ts";
import type { ImportSessionOptions, ImportSessionReceipt } from "./import-options.ts";
import { recordedSession } from "./live-link.ts";
import { type Group, type Position, type Said, startWith } from "./position.ts";
import type { Piece, SessionSource } from "./session-source.ts";
import { StepTaker } from "./step-taker.ts";

/** An entry that waits for its part: the texts of its step are known by then. */
interface Waiting {
  readonly entry: NonNullable<Piece["entry"]>;
  readonly group: Group | undefined;
  readonly said: Said | undefined;
}

/** The entries up to a place: of those that wait, and of all. */
interface Stretch {
  readonly waiting: number;
  readonly chars: number;
  readonly entries: number;
  readonly sum: string;
}

interface FlushOptions {
  /** Default: all so far. */
  readonly until?: Stretch | undefined;
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
  readonly #sum = createHash("sha256");
  readonly #positions = new Map<string, Position>();
  /** Entries whose part is not written. */
  #waiting: Waiting[] = [];
  #chars = 0;
  #entries = 0;
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
        end?: Stretch;
      }
    | undefined;
  /** Up to the newest entry of the newest step. */
  #recorded: Stretch | undefined;
  /** When the newest step ended. */
  #stepTime: Date | undefined;
  /** When the first step ended that is not written yet. */
  #since: Date | undefined;
  #expect: Parameters<typeof journalWrite>[1];
  #hasFlushed = false;
  /** Entries that the store has, from the first one on. */
  readonly #known: number;
  /** Of the entries that the store has; where the file's entries are not kept. */
  readonly #before: readonly EntryMark[];
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
    const { marks, entry_count: count = 0 } = parts.before?.document ?? {};
    this.#before = marks === undefined ? [] : marksIn(marks);
    const { pieces } = parts.source;
    // A file that was written anew is followed from where it is another one.
    this.#known = marks !== undefined && Array.isArray(pieces) ? knownPieces(pieces, this.#before) : count;
  }

  async toEnd(): Promise<ImportSessionReceipt> {
    const { source, before, options } = this.#parts;
    const known = this.#known;
    for await (const piece of source.pieces) {
      options.signal?.throwIfAborted();
      if (this.#entries === known) await this.#behindKnown();
      if (this.#entries >= known) {
        const live = this.#hasFlushed || before !== undefined ? undefined : await recordedSession(this.#store, piece);
        if (live !== undefined) return this.#receipt("recorded", live);
      }
      await this.#take(piece, this.#entries < known);
    }
    if (this.#entries < known) throw changed(source.session);
    const unchanged = this.#entries === known ? this.#unchanged() : undefined;
    if (unchanged !== undefined) {
      if (!(await this.#wasCut())) return unchanged;
      await this.#behindKnown();
    }
    await this.#finishOpen(false);
    await this.#flushEarlier(this.#newest);
    await this.#makeWayTo(this.#last);
    await this.#taker.close(this.#last);
    await this.#flush({ isLast: true });
    return unchanged ?? this.#receipt(before === undefined ? "imported" : "extended");
  }

  /** Whether an import wrote all entries and did not come to close the session. */
  async #wasCut(): Promise<boolean> {
    const { session } = this.#parts.source;
    const found = await this.#store.getMany([sessionObjectId(session), leaseId(session)]);
    const [head, lease] = [found.get(sessionObjectId(session))?.document, found.get(leaseId(session))?.document];
    const isLeft = isDocumentOf(head, "session") && head.status === "active";
    return isLeft && isDocumentOf(lease, "lease") && lease.owner === importOwner;
  }

  /** Nothing more is written. */
  async abandon(): Promise<void> {
    await this.#taker.abandon();
  }

  #unchanged(): ImportSessionReceipt {
    const { source, before } = this.#parts;
    // An older copy of the file says nothing that the store has not.
    if (before !== undefined && !this.#isRewritten && this.#digest() !== before.document.source_sum)
      throw changed(source.session);
    return this.#receipt(this.#entries === 0 ? "empty" : "unchanged");
  }

  #receipt(outcome: ImportSessionReceipt["outcome"], session = this.#parts.source.session): ImportSessionReceipt {
    const { source } = this.#parts;
    const wrote = outcome === "imported" || outcome === "extended";
    return {
      ...{ session, agent: source.agent, outcome },
      steps: wrote ? this.#taker.steps : 0,
      entries: wrote ? this.#entries - this.#known : 0,
      redactions: wrote ? this.#redactions : 0,
      warnings: source.warnings(),
    };
  }

  /** All that is known was read: from here on there is something to write. */
  async #behindKnown(): Promise<void> {
    const { source, before } = this.#parts;
    if (before === undefined) return;
    await this.#finishOpen(true);
    const { source_sum: sum, next_step: nextStep } = before.document;
    if (this.#isRewritten ? this.#known === 0 : this.#digest() !== sum) throw changed(source.session);
    const head = (await this.#store.getMany([sessionObjectId(source.session)])).get(sessionObjectId(source.session));
    if (!isDocumentOf(head?.document, "session") || head.document.next_step !== nextStep) throw wentOn(source.session);
    if (this.#isRewritten && isOlder(source, head.validTime)) throw changed(source.session);
    this.#newest = head.validTime;
    this.#stepTime = head.validTime;
  }

  /** Entries that the store has are no longer in the file: an answer has grown, or the agent went back and on. */
  get #isRewritten(): boolean {
    return this.#before.length > this.#known;
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
      this.#open = { group: own, answer: event, results: [], at: parent, place: this.#entries };
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
      this.#marks.push({ sum: markSum(this.#digest()), group: event?.kind === "assistant" ? own : undefined });
    if (!isKnown) await this.#keep(piece, own, position.said === parent.said ? undefined : position.said);
  }

  #place({ id, at, said, parent }: Piece, position: Position): void {
    if (id !== undefined) {
      // A node of which the file has two is the first one.
      if (!this.#positions.has(id) && id !== parent) this.#positions.set(id, position);
      this.#last = position;
    }
    this.#sum.update(said).update("\n");
    this.#entries += 1;
    if (at !== undefined && (this.#newest === undefined || at > this.#newest)) this.#newest = at;
    this.#taker.at = at ?? this.#taker.at;
  }

  async #keep({ entry, said: text }: Piece, group: Group | undefined, said: Said | undefined): Promise<void> {
    if (entry !== undefined) this.#waiting.push({ entry, group, said });
    this.#chars += text.length;
    if (this.#open !== undefined && this.#open.group === group) this.#open.end = this.#stretch();
    if (!this.#isFull) return;
    // What is open now is not part of it: its step is not there yet.
    if (this.#open === undefined) await this.#flush();
  }

  async #finishOpen(isKnown: boolean): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    if (isKnown) this.#taker.skip(open.group, this.#before[open.place]?.step);
    else {
      await this.#flushOtherPrompt(open.at);
      await this.#taker.record(open);
    }
    this.#recorded = open.end ?? this.#stretch();
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

  /** The entries so far. */
  #stretch(): Stretch {
    return { waiting: this.#waiting.length, entries: this.#entries, sum: this.#digest(), chars: this.#chars };
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
    return this.#chars >= Math.min(batchCharsMax, limits.batchCharsMax) || this.#batch.size >= limits.batchDocumentsMax;
  }

  #digest(): string {
    return this.#sum.copy().digest("hex");
  }

  /** The steps so far with the entries that they came from, in one commit. */
  async #flush({ until = this.#stretch(), isLast = false }: FlushOptions = {}): Promise<void> {
    const { source, options } = this.#parts;
    const { session, agent } = source;
    await this.#taker.begin();
    const head = this.#batch.gathered(sessionObjectId(session));
    const now = options.now?.() ?? Date.now();
    const texts = new StepTexts(this.#batch, session);
    const entries = this.#waiting.slice(0, until.waiting).map(({ entry, group, said }): WrittenEntry => {
      const known = texts.of(group?.n ?? said?.takenBy?.n);
      return { entry: this.#writer.write(entry, known), step: group?.n };
    });
    const none = new KnownTexts();
    const parts = entries.length === 0 ? [] : [journalPartWrite(session, this.#partCount, entries)];
    this.#partCount += parts.length;
    const first = source.header === undefined ? [] : [...(source.titles ?? []), source.header];
    const header = first.map((line) => this.#writer.write(line, none));
    const facts = {
      ...{ session, agent, entries: until.entries, sum: until.sum, parts: this.#partCount },
      marks: isLast && source.header === undefined ? this.#marksText() : undefined,
      redactions: (this.#parts.before?.document.redactions ?? 0) + this.#redactions,
      header,
      ...this.#taker.stand(isDocumentOf(head, "session") ? head : undefined),
    };
    const from = isLast ? this.#newest : (this.#stepTime ?? this.#newest);
    const validTime = from === undefined ? undefined : new Date(Math.min(from.getTime(), now));
    await this.#batch.flush([...parts, journalWrite(facts, this.#expect)], validTime);
    this.#expect = "any";
    this.#hasFlushed = true;
    this.#since = undefined;
    this.#waiting = this.#waiting.slice(until.waiting);
    this.#chars -= until.chars;
    this.#shorten(until);
    options.onProgress?.({ steps: this.#taker.steps, entries: until.entries });
  }

  /** What waits from here on is counted without what was written. */
  #shorten(until: Stretch): void {
    const { waiting, chars } = until;
    const rest = (stretch: Stretch): Stretch => ({
      ...stretch,
      waiting: Math.max(0, stretch.waiting - waiting),
      chars: Math.max(0, stretch.chars - chars),
    });
    if (this.#open?.end !== undefined) this.#open.end = rest(this.#open.end);
    const { entries: written, sum } = until;
    if (this.#recorded === undefined) return;
    this.#recorded =
      this.#recorded.entries < written ? { waiting: 0, chars: 0, entries: written, sum } : rest(this.#recorded);
  }

  #marksText(): string {
    return marksText(this.#marks.map(({ sum, group }) => ({ sum, step: group?.n })));
  }
}

/** The texts of the steps of one batch. */
class StepTexts {
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

const minuteMs = 60_000;

/** Whether all that a file says was said before a time. */
function isOlder({ pieces }: SessionSource, time: Date): boolean {
  const times = Array.isArray(pieces) ? pieces.flatMap(({ at }: Piece) => at ?? []) : [];
  return times.length > 0 && times.every((at) => at < time);
}

const changed = (session: string) =>
  exchangeError(
    "exchange/changed",
    `The file no longer begins as it did when it was imported as session ${session}; nothing was added.`,
    { session },
  );

const wentOn = (session: string) =>
  exchangeError(
    "exchange/went-on",
    `Session ${session} went on in the store since its file was imported, and so did the file; nothing was added.`,
    { session },
  );
