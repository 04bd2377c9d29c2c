import {
  type AssistantEntry,
  type LogEntry,
  type NoteEntry,
  type PromptDecision,
  type RecalledEntry,
  recalledText,
  type ViewObject,
} from "@cm/context-log";
import {
  entryOf,
  erasedMark,
  type FlatRecalled,
  type FlatResumed,
  type FlatTold,
  type MutableState,
  mark,
  OpenCalls,
  resumedPlaces,
  shownMessages,
  splitAtAnswer,
  type TurnPlace,
  toldAgain,
  toldEntries,
  turnAfter,
  turnBefore,
} from "@cm/context-log/state";
import { type DocumentOf, type JsonObject, locationOf } from "@cm/object-model";
import { type FlatPlaces, Unfit, unfit } from "../keyframe/flat-places.ts";
import type { NamedTexts } from "./named-texts.ts";

/** The messages of a flat state's steps, each at its place in the log. */
export class PlacedMessages {
  readonly #places: FlatPlaces;
  readonly #texts: NamedTexts;

  constructor(places: FlatPlaces, texts: NamedTexts) {
    this.#places = places;
    this.#texts = texts;
  }

  /** The messages of the steps that were read, as they were recorded, each at its place; notes are put in later. */
  log(gapAt: number | null): LogEntry[] {
    const log = new Array<LogEntry>(this.#places.flat.rest.logLength);
    for (const [place, row] of this.#places.steps()) {
      const start = this.#places.start(place);
      const turn = this.#places.path[place - 1]?.turn ?? -1;
      const document = this.#texts.steps.get(place);
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
    const start = this.#places.start(step);
    // A step in another one's place has another hash, so nothing of what is read here was erased.
    const { before, after } = splitAtAnswer(shownMessages(document));
    let place: TurnPlace = this.#places.path[step - 1] ?? { turn: -1, answered: true };
    if (gapAt !== null && gapAt < start) place = { ...place, turn: turnBefore(document) };
    const { resumed } = document;
    const decision = document.decision as PromptDecision;
    let at = start + (resumed === undefined || resumed.told === false ? 0 : 1);
    const openCalls = new OpenCalls();
    const calls = new Set<string>();
    const put = ({ message }: (typeof before)[number], number: number): void => {
      place = turnAfter(place, message);
      // Whose call it was is not known from this step alone.
      if (message.role === "tool" && this.#places.erased.has(message.object) && !calls.has(message.object))
        throw new Unfit();
      const entry = entryOf(
        message,
        { at, step: number, turn: Math.max(0, place.turn) },
        (id) => this.#texts.toolcalls.get(id),
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
    const told = toldEntries(decision, { at, step, turn: place.turn, into: at });
    at += (decision.recall ?? []).length + told.length;
    for (const message of after) put(message, step + 1);
    if (at !== this.#places.row(step).end) throw new Unfit();
  }
}

/** The notes of a flat state: they hold copies of texts, which are found again and compared by their marks. */
export class RestoredNotes {
  readonly #places: FlatPlaces;
  readonly #texts: NamedTexts;
  #tellOfErased = false;

  constructor(places: FlatPlaces, texts: NamedTexts) {
    this.#places = places;
    this.#texts = texts;
  }

  /** Whether a version of a file that was brought back is not there any more. */
  get tellOfErased(): boolean {
    return this.#tellOfErased;
  }

  note(state: MutableState, at: number, note: FlatRecalled | FlatResumed | FlatTold): NoteEntry {
    const step = this.#places.stepOf(at);
    const document = this.#texts.steps.get(step) ?? unfit();
    const { turn } = this.#turnOfNote(step, at);
    const place = { at, step, turn };
    if (note.length < 3) return toldAgain(note as FlatTold, document.decision as PromptDecision, place) ?? unfit();
    return note.length === 8
      ? this.#recalled(state, place, note as FlatRecalled)
      : this.#resumed(state, { ...place, document }, note as FlatResumed);
  }

  /** Notes stand before the messages of a step, or between the last of those and the answer. */
  #turnOfNote(step: number, at: number): { readonly turn: number } {
    const document = this.#texts.steps.get(step) ?? unfit();
    const { gapAt } = this.#places.flat.rest;
    const start = this.#places.start(step);
    const before = this.#places.path[step - 1]?.turn ?? -1;
    const isAfterGap = gapAt !== null && gapAt < start;
    const turn = isAfterGap ? turnBefore(document) : before;
    const isResumed = document.resumed !== undefined && document.resumed.told !== false && at === start;
    return { turn: Math.max(0, isResumed ? turn : this.#places.row(step).turn) };
  }

  #recalled(
    state: MutableState,
    place: { readonly at: number; readonly step: number; readonly turn: number },
    [into, object, input, text, textless, hash, display, part]: FlatRecalled,
  ): RecalledEntry {
    state.origins.set(place.at, {
      contentHash: hash ?? undefined,
      display: display ?? undefined,
      part: part ?? undefined,
    });
    const texts = input === 1 ? this.#inputs(state, object) : this.#textsOf(state, { object, hash, part });
    // A file may itself say what stands for an erased text: then it is there, with its path.
    const found = texts.find((one) => mark(one) === text);
    if (found === undefined && text !== mark(erasedMark)) unfit();
    if (found === undefined && hash !== null && this.#texts.file(object, hash) === undefined) this.#tellOfErased = true;
    const isFile = input === 0 && state.objects.get(object)?.kind === "file";
    return {
      kind: "recalled",
      ...place,
      object,
      into,
      ...(input === 1 ? { input: true as const } : {}),
      text: found ?? erasedMark,
      ...(isFile && found !== undefined ? { path: this.#pathOf(object, display) } : {}),
      ...(textless === null ? {} : { textless: textless as NonNullable<RecalledEntry["textless"]> }),
    };
  }

  #inputs(state: MutableState, object: string): readonly string[] {
    const args = this.#texts.toolcalls.get(object)?.args as JsonObject | undefined;
    const call = { callId: "", tool: "", args: args ?? {}, object, files: [] };
    const asked = { kind: "assistant", at: 0, step: 0, turn: 0, text: "", thinking: [], calls: [call] } as const;
    const logs: readonly (readonly LogEntry[])[] = [[asked satisfies AssistantEntry], state.log.filter(Boolean)];
    return logs.flatMap((log) => recalledText({ objects: state.objects, log }, { object, input: true })?.text ?? []);
  }

  #textsOf(
    state: MutableState,
    { object, hash, part }: { readonly object: string; readonly hash: string | null; readonly part: number | null },
  ): readonly string[] {
    const texts =
      hash === null
        ? [this.#texts.toolcalls.get(object)?.content, state.objects.get(object)?.text]
        : [this.#texts.file(object, hash)?.content];
    const seen = part === null ? [] : [state.recorded.get(part), state.log[part]];
    const parts = seen.map((entry) => (entry?.kind === "result" ? entry.text : undefined));
    return [...texts, ...parts].filter((text) => typeof text === "string");
  }

  #resumed(
    state: MutableState,
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
      ...resumedPlaces({ checkouts, paths }),
    };
  }

  #told(text: string | null, file: string, hash: string | null): string | null {
    if (text === null) return null;
    const content = hash === null ? undefined : this.#texts.file(file, hash)?.content;
    if (content == null || mark(content) !== text) throw new Unfit();
    return content;
  }

  /** The path of a file as it was shown; where no other was told, the one of its source. */
  #pathOf(file: string, display: string | null): string {
    if (display !== null) return display;
    const { source } = this.#texts.sources.get(file) ?? unfit();
    return source === null ? "" : locationOf(source).path;
  }
}
