import {
  type AssistantEntry,
  isNote,
  type LogEntry,
  type NoteEntry,
  type PartForm,
  type Prices,
  type PromptDecision,
  type RecalledEntry,
  recalledText,
  type ViewObject,
} from "@cm/context-log";
import {
  type Basis,
  type DocumentOf,
  defined,
  firstChain,
  isDocumentOf,
  type JsonObject,
  locationOf,
  nextChain,
  type ObjectStore,
  stepId,
  toolcallsIn,
} from "@cm/object-model";
import type { SessionSets } from "../sets/session-sets.ts";
import { type StepObjects, splitAtAnswer } from "../state/advance.ts";
import { amend } from "../state/amend.ts";
import { ledgerAt } from "../state/billing.ts";
import { entryOf } from "../state/entries.ts";
import { omittedEntry } from "../state/flat-omitted.ts";
import {
  type FlatObject,
  type FlatRecalled,
  type FlatResumed,
  type FlatState,
  type FlatStep,
  type Key,
  mark,
  setTables,
  stepFlags,
  type Table,
  type TableName,
} from "../state/flat-state.ts";
import { foldOf, foldsInView } from "../state/folds.ts";
import { knownDecision } from "../state/known-decision.ts";
import { inStore } from "../state/omission.ts";
import { OpenCalls } from "../state/open-calls.ts";
import type { PathRow } from "../state/origins.ts";
import { emptyState, type SessionState } from "../state/session-state.ts";
import { shownMessages } from "../state/shown-messages.ts";
import { erasedMark, erasedObject, fileObject, toolcallObject, withSeenPart } from "../state/view-objects.ts";
import type { ReadKeyframe } from "./keyframe-state.ts";
import { readInParts } from "./read-in-parts.ts";
import type { PathStep } from "./read-path.ts";
import { type FileVersions, readShownVersions } from "./read-shown-versions.ts";

export interface RestoreOptions {
  /** Whose hash chain the state's is. */
  readonly session: string;
  readonly prices: Prices;
  readonly headChars: number;
}

export interface RestoredState {
  readonly state: SessionState;
  readonly file: StepObjects["file"];
}

/** What the keyframe says is not what the store has: an erasure, damage, or what nobody foresaw. */
class Unfit extends Error {}

/**
 * The state after a keyframe's step, with the texts that it names: those of the steps and objects that stand in the
 * prompt, and of the files in sight. Undefined where one of them is not what it was; then the steps tell.
 */
export async function restoreState(
  store: ObjectStore,
  { flat }: Pick<ReadKeyframe, "flat">,
  { step, ...options }: RestoreOptions & { readonly step: Pick<PathStep, "contentHash" | "basis"> },
): Promise<RestoredState | undefined> {
  try {
    const restoring = new Restoring(flat, step.contentHash);
    await restoring.read(store, step.basis);
    const state = restoring.state(options);
    return { state, file: restoring.file };
  } catch (error) {
    // A shape that no version of ours writes ends as a TypeError.
    if (error instanceof Unfit || error instanceof TypeError) return undefined;
    throw error;
  }
}

class Restoring {
  readonly #flat: FlatState;
  readonly #path: readonly PathRow[];
  readonly #objects: readonly FlatObject[];
  readonly #erased: ReadonlySet<string>;
  readonly #omitted: Table;
  readonly #steps = new Map<number, DocumentOf<"step">>();
  readonly #toolcalls = new Map<string, DocumentOf<"toolcall">>();
  #files: FileVersions = new Map();
  readonly #sources = new Map<string, DocumentOf<"file">>();

  constructor(flat: FlatState, newestHash: string) {
    this.#flat = flat;
    const rows = flat.rows.steps as unknown as readonly FlatStep[];
    const names = sessionNames(rows);
    this.#path = rows.map(([, n, , end, turn, flags], place) => ({
      address: { session: names[place] ?? "", n },
      contentHash: rows[place + 1]?.[2] ?? newestHash,
      end,
      turn,
      answered: (flags & stepFlags.answered) !== 0,
      isErased: (flags & stepFlags.erased) !== 0,
    }));
    this.#objects = flat.rows.objects as unknown as readonly FlatObject[];
    this.#erased = new Set(this.#objects.flatMap(([, id, , erased]) => (erased === 1 ? [id] : [])));
    this.#omitted = flat.tables.omitted;
    const { depth, logLength } = flat.rest;
    if (rows.length !== depth || rows.at(-1)?.[3] !== logLength) throw new Unfit();
  }

  readonly file = (id: string, hash: string): DocumentOf<"file"> | undefined => this.#files.get(id)?.get(hash);

  /** @param at the transaction of the keyframe: then most files in sight were what it says */
  async read(store: ObjectStore, at: Basis): Promise<void> {
    await this.#readSteps(store);
    await this.#readObjects(store, at);
  }

  async #readSteps(store: ObjectStore): Promise<void> {
    const wanted = this.#wantedSteps();
    const found = await readInParts(
      store,
      wanted.map((place) => stepId(this.#row(place).address)),
    );
    for (const place of wanted) {
      const { address, contentHash } = this.#row(place);
      const version = found.get(stepId(address));
      const document = version?.document;
      if (document === undefined || version?.contentHash !== contentHash || !isDocumentOf(document, "step"))
        throw new Unfit();
      this.#steps.set(place, document);
    }
  }

  /** The steps that something of the state is made from. */
  #wantedSteps(): readonly number[] {
    const { tables, rows, rest } = this.#flat;
    const wanted = new Set<number>();
    for (const [place] of this.#path.entries()) {
      for (let at = this.#start(place); at < this.#row(place).end; at += 1) {
        if (this.#omitted.has(at)) continue;
        wanted.add(place);
        break;
      }
    }
    for (const depth of tables.forms.values()) wanted.add(depth as number);
    for (const [key, depth] of tables.amended) {
      if (!this.#omitted.has(Number.parseInt(`${key}`, 10))) wanted.add(depth as number);
    }
    for (const depth of rows.folds) wanted.add(depth as number);
    for (const [, calls] of rest.waiting) for (const [at] of calls) wanted.add(this.#stepOf(at));
    if (rest.newestAnswer >= 0) wanted.add(this.#stepOf(rest.newestAnswer));
    for (const at of this.#wantedParts()) wanted.add(this.#stepOf(at));
    return [...wanted].filter((place) => !this.#row(place).isErased).sort((a, b) => a - b);
  }

  /** Where the log has parts of files that something shows, also where the part left the prompt. */
  #wantedParts(): readonly number[] {
    const { inSight, seenAt, notes } = this.#flat.tables;
    const shown = [...inSight].flatMap(([key, seen]) => {
      const at = seenAt.get(key);
      return Array.isArray(seen) && seen[3] === 1 && typeof at === "number" ? [at] : [];
    });
    const told = [...notes.values()].flatMap((note) => {
      const part = Array.isArray(note) && note.length === 8 ? note[7] : null;
      return typeof part === "number" ? [part] : [];
    });
    return [...shown, ...told];
  }

  async #readObjects(store: ObjectStore, at: Basis): Promise<void> {
    const { tables } = this.#flat;
    const toolcalls = new Set<string>();
    for (const document of this.#steps.values()) for (const id of toolcallsIn(document.messages)) toolcalls.add(id);
    for (const [place, [kind, id]] of this.#objects.entries()) {
      if (kind === "t" && !tables.dropped.has(place)) toolcalls.add(id);
    }
    const versions = new Map<string, { readonly file: string; readonly contentHash: string }>();
    const want = (file: string, contentHash: string | null | undefined): void => {
      if (contentHash != null) versions.set(`${file} ${contentHash}`, { file, contentHash });
    };
    for (const [key, seen] of tables.inSight) want(this.#id(key), (seen as readonly [string])[0]);
    for (const [noteAt, note] of tables.notes) this.#wantTold(noteAt as number, note as never, { want, toolcalls });
    const files = new Set([...versions.values()].map(({ file }) => file));
    const [calls, found] = await Promise.all([readInParts(store, [...toolcalls]), readInParts(store, [...files], at)]);
    for (const id of toolcalls) {
      const document = calls.get(id)?.document;
      if (document !== undefined && isDocumentOf(document, "toolcall")) this.#toolcalls.set(id, document);
      if (this.#toolcalls.has(id) === this.#erased.has(id)) throw new Unfit();
    }
    const shown = [...versions.values()].map((version) => ({ ...version, from: 0, to: 0 }));
    this.#files = await readShownVersions(store, [], { versions: shown, found });
    for (const [file, byHash] of this.#files) {
      for (const document of byHash.values()) if (document !== undefined) this.#sources.set(file, document);
    }
  }

  #wantTold(
    at: number,
    note: FlatRecalled | FlatResumed,
    {
      want,
      toolcalls,
    }: { readonly want: (file: string, hash: string | null | undefined) => void; readonly toolcalls: Set<string> },
  ): void {
    if (note.length === 8) {
      const [, object, , , , hash] = note;
      if (hash !== null) want(object, hash);
      else if (!this.#erased.has(object)) toolcalls.add(object);
      return;
    }
    if (note.length !== 3) return;
    const observed = this.#steps.get(this.#stepOf(at))?.resumed?.observed ?? [];
    for (const [place, [, before]] of note[1].entries()) {
      const { file, succeeds = file, content_hash: after } = observed[place] ?? unfit();
      want(succeeds, before);
      want(file, after);
    }
  }

  state(options: RestoreOptions): SessionState {
    const { session, prices, headChars } = options;
    const { rest, rows, tables } = this.#flat;
    const state = emptyState(session, headChars);
    for (const { address } of this.#path) state.sessions.add(address.session);
    state.head = rest.head;
    state.chain = this.#chain(session);
    state.depth = rest.depth;
    state.log = this.#messages(rest.gapAt);
    this.#putObjects(state);
    for (const name of setTables) this.#fill(state.sets[name as keyof SessionSets], name);
    this.#fill(state.idle, "idle");
    for (const [key, hash] of tables.inSight) {
      const [contentHash, display, succeeds] = hash as readonly [string, string | null, string | null];
      state.inSight.set(this.#id(key), {
        contentHash,
        display: display ?? undefined,
        succeeds: succeeds ?? undefined,
      });
    }
    for (const [key, at] of tables.seenAt) state.seenAt.set(this.#id(key), at as number);
    // Keyframes of before say it of whatever stood in full once.
    for (const [key, count] of tables.shown) if (count !== 0) state.shown.set(this.#id(key), count as number);
    this.#amend(state);
    this.#showParts(state);
    const newest = state.recorded.get(rest.newestAnswer) ?? state.log[rest.newestAnswer];
    const openCalls = OpenCalls.of(this.#waiting(state), newest?.kind === "assistant" ? newest : undefined);
    for (const [at, note] of tables.notes) state.log[at as number] = this.#note(state, at as number, note as never);
    for (const [at, fields] of this.#omitted) {
      state.log[at as number] = omittedEntry(at as number, fields, (key) => this.#id(key));
      state.recorded.delete(at as number);
    }
    if (state.log.length !== rest.logLength || state.log.includes(undefined as never)) throw new Unfit();
    this.#putForms(state);
    for (const depth of rows.folds) state.folds.push(this.#fold(depth as number));
    // Keyframes of before name all of them.
    state.folds = foldsInView(state.folds, state.log);
    for (const row of this.#path) state.path.push(row);
    Object.assign(state, {
      ...{ openCalls, newFrom: state.log.length, complete: rest.complete, gapAt: rest.gapAt ?? undefined },
      ...{ turn: rest.turn, answered: rest.answered, requestedAtMs: rest.requestedAtMs ?? undefined },
      ...{ model: rest.model ?? undefined, toolcallCount: rest.toolcallCount, plainChars: rest.plainChars },
      ...{ checkouts: rest.checkouts, billing: { ...rest.billing, prices: priced(prices) } },
      ledger: ledgerAt(rest, { prices, headChars }),
      counted: rest.counted.map(({ chars, tokens }) => ({
        chars: chars - rest.ledger.headChars + headChars,
        tokens,
      })),
    });
    return state;
  }

  #chain(session: string): string {
    const { rest } = this.#flat;
    const newest = this.#path.at(-1)?.contentHash ?? "";
    if (session === rest.session) return nextChain(rest.chain, newest);
    return this.#path.reduce((chain, { contentHash }) => nextChain(chain, contentHash), firstChain(session));
  }

  /** The messages of the steps that were read, as they were recorded, each at its place; notes are put in later. */
  #messages(gapAt: number | null): LogEntry[] {
    const log = new Array<LogEntry>(this.#flat.rest.logLength);
    for (const [place, row] of this.#path.entries()) {
      const start = this.#start(place);
      const turn = this.#path[place - 1]?.turn ?? -1;
      const document = this.#steps.get(place);
      if (row.isErased) {
        const at = { at: start, step: place, turn: Math.max(0, turn) };
        log[start] = { kind: "user", ...at, text: erasedMark, attachments: [] };
      } else if (document !== undefined) this.#messagesOf(place, document, { log, gapAt });
    }
    return log;
  }

  #messagesOf(
    step: number,
    document: DocumentOf<"step">,
    { log, gapAt }: { readonly log: LogEntry[]; readonly gapAt: number | null },
  ): void {
    const start = this.#start(step);
    // A step in another one's place has another hash, so nothing of what is read here was erased.
    const { before, after } = splitAtAnswer(shownMessages(document));
    let { turn, answered } = this.#path[step - 1] ?? { turn: -1, answered: true };
    if (gapAt !== null && gapAt < start)
      turn = document.turn - (before.some(({ message }) => message.role === "user") ? 1 : 0);
    const { resumed } = document;
    const { recall = [], release = [] } = document.decision as PromptDecision;
    let at = start + (resumed === undefined || resumed.told === false ? 0 : 1);
    const openCalls = new OpenCalls();
    const calls = new Set<string>();
    const put = ({ message }: (typeof before)[number], number: number): void => {
      if (message.role === "user" && answered) [turn, answered] = [turn + 1, false];
      if (message.role === "assistant") answered = true;
      // Whose call it was is not known from this step alone.
      if (message.role === "tool" && this.#erased.has(message.object) && !calls.has(message.object)) throw new Unfit();
      const entry = entryOf(
        message,
        { at, step: number, turn: Math.max(0, turn) },
        (id) => this.#toolcalls.get(id),
        openCalls,
      );
      if (entry.kind === "assistant") {
        openCalls.asked(entry);
        for (const { object } of entry.calls) if (object !== undefined) calls.add(object);
      }
      log[at] = entry;
      at += 1;
    };
    for (const message of before) put(message, step);
    at += recall.length + (release.length > 0 ? 1 : 0);
    for (const message of after) put(message, step + 1);
    if (at !== this.#row(step).end) throw new Unfit();
  }

  #putObjects(state: SessionState): void {
    const { dropped, inSight } = this.#flat.tables;
    for (const [place, row] of this.#objects.entries()) {
      const [kind, id, name, erased] = row;
      const alias = state.aliases.give(id, kind === "f" ? "file" : "toolcall");
      if (alias !== name) throw new Unfit();
      if (erased === 1) state.objects.set(id, erasedObject({ id, alias, kind: kind === "f" ? "file" : "toolcall" }));
      else if (kind === "t") state.objects.set(id, dropped.has(place) ? droppedObject(row) : this.#toolcall(id, alias));
      else {
        const [hash, display] = inSight.get(place) as readonly [string, string | null];
        state.objects.set(id, fileObject(this.file(id, hash) ?? unfit(), alias, display ?? undefined));
      }
    }
  }

  #toolcall(id: string, alias: string): ViewObject {
    return toolcallObject(this.#toolcalls.get(id) ?? unfit(), alias);
  }

  /** Amendments as they hold now: of each message and each call the newest. */
  #amend(state: SessionState): void {
    const { amended } = this.#flat.tables;
    for (const [key, depth] of amended) {
      const [at = "", call = ""] = `${key}`.split(".");
      const step = this.#steps.get(depth as number);
      const one = step?.amended?.findLast((each) => each.at === Number(at) && `${each.call ?? ""}` === call);
      // What left the prompt, and shows nowhere, was not read.
      if (state.log[Number(at)] === undefined && this.#omitted.has(Number(at))) continue;
      const { text } = objectOf(state, Number(at)) ?? {};
      amend(state, [one ?? unfit()]);
      const object = objectOf(state, Number(at));
      if (object !== undefined && text === null) state.objects.set(object.id, { ...object, text });
    }
    for (const [key, depth] of amended) state.amendedAt.set(`${key}`, depth as number);
  }

  #showParts({ objects, log, seenAt }: SessionState): void {
    for (const [key, seen] of this.#flat.tables.inSight) {
      if ((seen as readonly unknown[])[3] !== 1) continue;
      const id = this.#id(key);
      const entry = log[seenAt.get(id) ?? -1];
      const object = objects.get(id);
      if (entry?.kind !== "result" || entry.text === null || object === undefined) throw new Unfit();
      objects.set(id, withSeenPart(object, entry.text));
    }
    for (const [key, seen] of this.#flat.tables.inSight) {
      const object = objects.get(this.#id(key));
      const isPart = object?.textless !== undefined && object.text !== null;
      if (isPart !== ((seen as readonly unknown[])[3] === 1)) throw new Unfit();
    }
  }

  *#waiting({
    log,
    recorded,
  }: SessionState): Generator<readonly [string, readonly { tool: string; args: JsonObject }[]]> {
    for (const [callId, places] of this.#flat.rest.waiting) {
      yield [
        callId,
        places.map(([at, call]) => {
          const entry = recorded.get(at) ?? log[at];
          const { tool, args } = (entry?.kind === "assistant" ? entry.calls[call] : undefined) ?? unfit();
          return { tool, args };
        }),
      ];
    }
  }

  #note(state: SessionState, at: number, note: FlatRecalled | FlatResumed | readonly [number]): NoteEntry {
    const step = this.#stepOf(at);
    const document = this.#steps.get(step) ?? unfit();
    const { turn } = this.#turnOfNote(step, at);
    const place = { at, step, turn };
    if (note.length === 1) {
      const { release = [] } = document.decision as PromptDecision;
      return { kind: "released", ...place, into: note[0], objects: release };
    }
    return note.length === 8
      ? this.#recalled(state, place, note)
      : this.#resumed(state, { ...place, document }, note as FlatResumed);
  }

  /** Notes stand before the messages of a step, or between the last of those and the answer. */
  #turnOfNote(step: number, at: number): { readonly turn: number } {
    const document = this.#steps.get(step) ?? unfit();
    const { gapAt } = this.#flat.rest;
    const start = this.#start(step);
    const asks = splitAtAnswer(shownMessages(document)).before.some(({ message }) => message.role === "user");
    const before = this.#path[step - 1]?.turn ?? -1;
    const isAfterGap = gapAt !== null && gapAt < start;
    const turn = isAfterGap ? document.turn - (asks ? 1 : 0) : before;
    const isResumed = document.resumed !== undefined && document.resumed.told !== false && at === start;
    return { turn: Math.max(0, isResumed ? turn : this.#row(step).turn) };
  }

  #recalled(
    state: SessionState,
    place: { readonly at: number; readonly step: number; readonly turn: number },
    [into, object, input, text, textless, hash, display, part]: FlatRecalled,
  ): RecalledEntry {
    state.origins.set(place.at, {
      contentHash: hash ?? undefined,
      display: display ?? undefined,
      part: part ?? undefined,
    });
    const candidates = [
      ...(input === 1 ? this.#inputs(state, object) : this.#texts(state, { object, hash, part })),
      erasedMark,
    ];
    const found = candidates.find((one) => mark(one) === text) ?? unfit();
    const isFile = input === 0 && state.objects.get(object)?.kind === "file";
    const isGone = found === erasedMark;
    return {
      kind: "recalled",
      ...place,
      object,
      into,
      ...(input === 1 ? { input: true as const } : {}),
      text: found,
      ...(isFile && !isGone ? { path: this.#pathOf(object, display) } : {}),
      ...(textless === null ? {} : { textless: textless as NonNullable<RecalledEntry["textless"]> }),
    };
  }

  #inputs(state: SessionState, object: string): readonly string[] {
    const args = this.#toolcalls.get(object)?.args as JsonObject | undefined;
    const call = { callId: "", tool: "", args: args ?? {}, object, files: [] };
    const asked = { kind: "assistant", at: 0, step: 0, turn: 0, text: "", thinking: [], calls: [call] } as const;
    const logs: readonly (readonly LogEntry[])[] = [[asked satisfies AssistantEntry], state.log.filter(Boolean)];
    return logs.flatMap((log) => recalledText({ objects: state.objects, log }, { object, input: true })?.text ?? []);
  }

  #texts(
    state: SessionState,
    { object, hash, part }: { readonly object: string; readonly hash: string | null; readonly part: number | null },
  ): readonly string[] {
    const texts =
      hash === null
        ? [this.#toolcalls.get(object)?.content, state.objects.get(object)?.text]
        : [this.file(object, hash)?.content];
    const seen = part === null ? [] : [state.recorded.get(part), state.log[part]];
    const parts = seen.map((entry) => (entry?.kind === "result" ? entry.text : undefined));
    return [...texts, ...parts].filter((text) => typeof text === "string");
  }

  #resumed(
    state: SessionState,
    {
      document: { resumed = unfit() },
      ...place
    }: { readonly at: number; readonly step: number; readonly turn: number; readonly document: DocumentOf<"step"> },
    [into, files, unreachablePaths]: FlatResumed,
  ): NoteEntry {
    const { observed = [], unreachable = [], checkouts = [], paths = [] } = resumed;
    state.origins.set(place.at, {
      files: files.map(([, before, , display]) => ({ before: before ?? undefined, display: display ?? undefined })),
      unreachable: unreachablePaths.map((display) => display ?? undefined),
    });
    return {
      kind: "resumed",
      ...place,
      into,
      files: observed.map(({ file, succeeds = file, content_hash }, number) => {
        const [before, beforeHash, after, display, textless] = files[number] ?? unfit();
        return {
          object: file,
          path: this.#pathOf(file, display),
          before: this.#told(before, succeeds, beforeHash),
          after: this.#told(after, file, content_hash),
          ...(textless === null ? {} : { textless: textless as NonNullable<ViewObject["textless"]> }),
        };
      }),
      unreachable: unreachable.map(({ file, reason }, number) => ({
        object: file,
        path: this.#pathOf(file, unreachablePaths[number] ?? null),
        reason,
      })),
      checkouts: checkouts.map(({ was, now }) => ({
        ...defined({ was, now }),
      })),
      ...(paths.length === 0
        ? {}
        : { paths: paths.map(({ file, ...path }) => (file === undefined ? path : { ...path, object: file })) }),
    };
  }

  #told(text: string | null, file: string, hash: string | null): string | null {
    if (text === null) return null;
    const content = hash === null ? undefined : this.file(file, hash)?.content;
    if (content == null || mark(content) !== text) throw new Unfit();
    return content;
  }

  /** The path of a file as it was shown; where no other was told, the one of its source. */
  #pathOf(file: string, display: string | null): string {
    if (display !== null) return display;
    const { source } = this.#sources.get(file) ?? unfit();
    return source === null ? "" : locationOf(source).path;
  }

  #putForms(state: SessionState): void {
    for (const [part, depth] of this.#flat.tables.forms) {
      const { forms = {} } = (this.#steps.get(depth as number)?.decision ?? {}) as PromptDecision;
      const form: PartForm | undefined = forms[part];
      if (form === undefined || form.form === "full") throw new Unfit();
      state.forms.set(`${part}`, form);
      state.formedAt.set(`${part}`, depth as number);
    }
  }

  #fold(depth: number): SessionState["folds"][number] {
    const document = this.#steps.get(depth) ?? unfit();
    const { gapAt } = this.#flat.rest;
    const known = {
      log: [],
      erasedAt: new Set<number>(),
      gapAt: gapAt !== null && gapAt < this.#start(depth) ? gapAt : undefined,
    };
    return foldOf(knownDecision(known, document), document, depth) ?? unfit();
  }

  #fill(set: Set<string>, name: TableName): void {
    for (const key of this.#flat.tables[name].keys()) set.add(this.#id(key));
  }

  #id(key: Key): string {
    return typeof key === "string" ? key : (this.#objects[key]?.[1] ?? unfit());
  }

  #row(place: number): PathRow {
    return this.#path[place] ?? unfit();
  }

  /** Where in the log a step begins. */
  #start(place: number): number {
    return this.#path[place - 1]?.end ?? 0;
  }

  /** The step that an entry of the log is from. */
  #stepOf(at: number): number {
    let [low, high] = [0, this.#path.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#row(middle).end > at) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const priced = ({ read, write }: Prices) => ({ read, write });

function objectOf({ log, objects }: SessionState, at: number): ViewObject | undefined {
  const entry = log[at];
  return entry !== undefined && !isNote(entry) && entry.kind === "result" ? objects.get(entry.object) : undefined;
}

/** A tool call that left the prompt: what is known of it without its text. */
function droppedObject(row: FlatObject): ViewObject {
  if (row[0] !== "t") throw new Unfit();
  const [, id, alias, , tool, status, redactions] = row;
  const known = { id, alias, tool, status: status as NonNullable<ViewObject["status"]> };
  return inStore(redactions === null ? known : { ...known, redactions });
}

function unfit(): never {
  throw new Unfit();
}

function sessionNames(rows: readonly FlatStep[]): readonly string[] {
  let session = "";
  return rows.map(([name]) => {
    if (name !== "") session = name;
    return session;
  });
}
