import { isNote, type PartForm, type Prices, type PromptDecision, type ViewObject } from "@cm/context-log";
import {
  amend,
  ContextLog,
  emptyState,
  erasedObject,
  type FlatObject,
  fileObject,
  foldOf,
  foldsInView,
  inStore,
  knownDecision,
  ledgerAt,
  type MutableState,
  type OpenCall,
  OpenCalls,
  omittedEntry,
  type SessionSets,
  type StepObjects,
  setTables,
  type TableName,
  takeLateResults,
  toolcallObject,
  withSeenPart,
} from "@cm/context-log/state";
import { firstChain, nextChain, type ObjectStore } from "@cm/object-model";
import { FlatPlaces, Unfit, unfit } from "../keyframe/flat-places.ts";
import type { ReadKeyframe } from "../keyframe/keyframe-state.ts";
import { putGone } from "../keyframe/standing-data.ts";
import type { PathStep } from "../path/read-path.ts";
import { NamedTexts } from "./named-texts.ts";
import { PlacedMessages, RestoredNotes } from "./placed-messages.ts";

export interface RestoreOptions {
  /** Whose hash chain the state's is. */
  readonly session: string;
  readonly prices: Prices;
  readonly headChars: number;
}

export interface RestoredState {
  readonly log: ContextLog;
  readonly file: StepObjects["file"];
}

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
    const places = new FlatPlaces(flat, step.contentHash);
    const texts = new NamedTexts(places);
    await texts.read(store, step.basis);
    return { log: ContextLog.of(new Restoring(places, texts).state(options)), file: texts.file };
  } catch (error) {
    // A shape that no version of ours writes ends as a TypeError.
    if (error instanceof Unfit || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Puts a state together of what a keyframe says and the texts that were read. */
class Restoring {
  readonly #places: FlatPlaces;
  readonly #texts: NamedTexts;

  constructor(places: FlatPlaces, texts: NamedTexts) {
    this.#places = places;
    this.#texts = texts;
  }

  state(options: RestoreOptions): MutableState {
    const { session, prices, headChars } = options;
    const { rest, rows, standing } = this.#places.flat;
    const state = emptyState(session, headChars);
    for (const [, row] of this.#places.steps()) {
      state.sessions.add(row.address.session);
      state.path.push(row);
    }
    state.head = rest.head;
    state.chain = this.#chain(session);
    state.depth = rest.depth;
    state.log = new PlacedMessages(this.#places, this.#texts).log(rest.gapAt);
    this.#putObjects(state);
    this.#putTables(state);
    this.#amend(state);
    this.#showParts(state);
    const newest = state.recorded.get(rest.newestAnswer) ?? state.log[rest.newestAnswer];
    const answer = newest?.kind === "assistant" ? newest : undefined;
    const openCalls = OpenCalls.of(this.#waiting(state), answer, (at) => this.#places.isOmitted(at));
    const isToldOfErased = this.#putNotes(state);
    // Of a file whose newer version is in sight, and of which no note tells: the steps say whether the erased one is of use yet.
    if (!rest.complete && rest.gapAt === null && this.#places.erased.size === 0 && !isToldOfErased) throw new Unfit();
    if (standing !== undefined) putGone(state.log, standing.gone);
    if (state.log.length !== rest.logLength || state.log.includes(undefined as never)) throw new Unfit();
    takeLateResults(state);
    this.#putForms(state);
    for (const depth of rows.folds) state.folds.push(this.#fold(depth as number));
    // Keyframes of before name all of them.
    state.folds = foldsInView(state.folds, state.log);
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

  #putTables(state: MutableState): void {
    const { tables } = this.#places.flat;
    for (const name of setTables) this.#fill(state.sets[name as keyof SessionSets], name);
    this.#fill(state.idle, "idle");
    for (const [key, hash] of tables.inSight) {
      const [contentHash, display, succeeds] = hash as readonly [string, string | null, string | null];
      state.inSight.set(this.#places.id(key), {
        contentHash,
        display: display ?? undefined,
        succeeds: succeeds ?? undefined,
      });
    }
    for (const [key, at] of tables.seenAt) state.seenAt.set(this.#places.id(key), at as number);
    // Keyframes of before say it of whatever stood in full once.
    for (const [key, count] of tables.shown) if (count !== 0) state.shown.set(this.#places.id(key), count as number);
  }

  /** What stands in the log and is no message, and what left it. True: a note has an erased version of a file. */
  #putNotes(state: MutableState): boolean {
    const { tables } = this.#places.flat;
    const notes = new RestoredNotes(this.#places, this.#texts);
    for (const [at, note] of tables.notes) state.log[at as number] = notes.note(state, at as number, note as never);
    for (const [at, fields] of this.#places.omitted) {
      const entry = omittedEntry(at as number, fields, (key) => this.#places.id(key));
      state.log[at as number] = state.omitted.keep(entry);
      state.recorded.delete(at as number);
    }
    return notes.tellOfErased;
  }

  #chain(session: string): string {
    const { rest } = this.#places.flat;
    const newest = this.#places.path.at(-1)?.contentHash ?? "";
    // What only stands for a path renders its requests, and writes nothing.
    if (session === rest.session || this.#places.flat.standing !== undefined) return nextChain(rest.chain, newest);
    return this.#places.path.reduce((chain, { contentHash }) => nextChain(chain, contentHash), firstChain(session));
  }

  #putObjects(state: MutableState): void {
    const { dropped, inSight } = this.#places.flat.tables;
    const { standing } = this.#places.flat;
    if (standing !== undefined) state.aliases.goOnAfter(standing.names);
    for (const [place, row] of this.#places.named()) {
      const [kind, id, name, erased] = row;
      if (standing !== undefined) state.aliases.putBack(name, id);
      const alias = standing === undefined ? state.aliases.give(id, kind === "f" ? "file" : "toolcall") : name;
      if (alias !== name) throw new Unfit();
      if (erased === 1) state.objects.set(id, erasedObject({ id, alias, kind: kind === "f" ? "file" : "toolcall" }));
      else if (kind === "t") {
        if (!dropped.has(place)) state.objects.set(id, this.#toolcall(id, alias));
        else if (!putInStore(state, row)) state.objects.set(id, droppedObject(row));
      } else {
        const [hash, display] = inSight.get(place) as readonly [string, string | null];
        state.objects.set(id, fileObject(this.#texts.file(id, hash) ?? unfit(), alias, display ?? undefined));
      }
    }
  }

  #toolcall(id: string, alias: string): ViewObject {
    return toolcallObject(this.#texts.toolcalls.get(id) ?? unfit(), alias);
  }

  /** Amendments as they hold now: of each message and each call the newest. */
  #amend(state: MutableState): void {
    const { amended } = this.#places.flat.tables;
    for (const [key, depth] of amended) {
      const [at = "", call = ""] = `${key}`.split(".");
      const step = this.#texts.steps.get(depth as number);
      const one = step?.amended?.findLast((each) => each.at === Number(at) && `${each.call ?? ""}` === call);
      // What left the prompt, and shows nowhere, was not read.
      if (one === undefined && this.#places.isOmitted(Number(at))) continue;
      const { text } = objectOf(state, Number(at)) ?? {};
      amend(state, [one ?? unfit()]);
      const object = objectOf(state, Number(at));
      if (object !== undefined && text === null) state.objects.set(object.id, { ...object, text });
    }
    for (const [key, depth] of amended) state.amendedAt.set(`${key}`, depth as number);
  }

  #showParts({ objects, log, seenAt }: MutableState): void {
    for (const [key, seen] of this.#places.flat.tables.inSight) {
      if ((seen as readonly unknown[])[3] !== 1) continue;
      const id = this.#places.id(key);
      const entry = log[seenAt.get(id) ?? -1];
      const object = objects.get(id);
      if (entry?.kind !== "result" || entry.text === null || object === undefined) throw new Unfit();
      objects.set(id, withSeenPart(object, entry.text));
    }
    for (const [key, seen] of this.#places.flat.tables.inSight) {
      const object = objects.get(this.#places.id(key));
      const isPart = object?.textless !== undefined && object.text !== null;
      if (isPart !== ((seen as readonly unknown[])[3] === 1)) throw new Unfit();
    }
  }

  *#waiting({ log, recorded }: MutableState): Generator<readonly [string, readonly OpenCall[]]> {
    for (const [callId, places] of this.#places.flat.rest.waiting) {
      yield [
        callId,
        places.flatMap(([at, call]) => {
          const entry = recorded.get(at) ?? log[at];
          const open = entry?.kind === "assistant" ? entry.calls[call] : undefined;
          // Its step was erased since.
          if (open === undefined && this.#places.isOmitted(at)) return [];
          const { tool, args } = open ?? unfit();
          return [{ tool, args, at, call }];
        }),
      ];
    }
  }

  #putForms(state: MutableState): void {
    for (const [part, depth] of this.#places.flat.tables.forms) {
      const { forms = {} } = (this.#texts.steps.get(depth as number)?.decision ?? {}) as PromptDecision;
      const form: PartForm | undefined = forms[part];
      if (form === undefined || form.form === "full") throw new Unfit();
      state.forms.set(`${part}`, form);
      state.formedAt.set(`${part}`, depth as number);
    }
  }

  #fold(depth: number): MutableState["folds"][number] {
    const document = this.#texts.steps.get(depth) ?? unfit();
    const { gapAt } = this.#places.flat.rest;
    const known = {
      log: [],
      erasedAt: new Set<number>(),
      gapAt: gapAt !== null && gapAt < this.#places.start(depth) ? gapAt : undefined,
    };
    return foldOf(knownDecision(known, document), document, depth) ?? unfit();
  }

  #fill(set: Set<string>, name: TableName): void {
    for (const key of this.#places.flat.tables[name].keys()) set.add(this.#places.id(key));
  }
}

const priced = ({ read, write }: Prices) => ({ read, write });

function objectOf({ log, objects }: MutableState, at: number): ViewObject | undefined {
  const entry = log[at];
  return entry !== undefined && !isNote(entry) && entry.kind === "result" ? objects.get(entry.object) : undefined;
}

/** Nearly all objects of a long session are such rows. */
function putInStore({ objects }: MutableState, row: FlatObject): boolean {
  if (row[0] !== "t") return false;
  const [, id, alias, , tool, status, redactions] = row;
  return redactions === null && objects.setInStore(id, { alias, tool, status });
}

/** A tool call that left the prompt: its facts without its text. */
function droppedObject(row: FlatObject): ViewObject {
  if (row[0] !== "t") throw new Unfit();
  const [, id, alias, , tool, status, redactions] = row;
  const known = { id, alias, tool, status: status as NonNullable<ViewObject["status"]> };
  return inStore(redactions === null ? known : { ...known, redactions });
}
