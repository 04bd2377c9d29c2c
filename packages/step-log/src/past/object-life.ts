import {
  argsPart,
  type LeveledObject,
  type LogEntry,
  type PartForm,
  type PromptDecision,
  resultPart,
  type ViewObject,
} from "@cm/context-log";
import { ContextLog, erasedMark, frozenCopy, type LogState, leveledObject } from "@cm/context-log/state";
import { canonicalJson, type DocumentOf, type ObjectStore, type StepAddress } from "@cm/object-model";
import { checkObject } from "../check-input.ts";
import { readNamedHeads } from "../path/read-named.ts";
import { type LoadedPath, loadPath } from "../state/load-state.ts";
import type { RendererFor } from "./rebuild.ts";

/** A request of a session's path: its place there, its step, and when it was made or recorded. */
export interface RequestPlace {
  readonly n: number;
  readonly step: StepAddress;
  readonly atMs: number | undefined;
}

/** What became of one object in a session. Plain data, frozen, without the object's text. */
export interface ObjectLife {
  readonly object: Omit<LeveledObject, "text"> & { readonly chars: number | undefined };
  /** With which request, or with the answer of which, the session met it. */
  readonly met: RequestPlace;
  /** Of a file: the versions that the session saw, oldest first. */
  readonly versions: readonly { readonly contentHash: string; readonly from: RequestPlace }[];
  /** The texts of it in the prompt, in order. */
  readonly texts: readonly LifeText[];
  /** How it stood in the sets, from where on: oldest first. */
  readonly levels: readonly LifeLevel[];
  /** False where something on the way was erased. */
  readonly complete: boolean;
}

export interface LifeText extends LifePart {
  readonly runs: readonly LifeRun[];
}

/** Requests one after the other in which a text stood in one way. */
export interface LifeRun {
  readonly standing: LifeStanding;
  readonly from: RequestPlace;
  readonly to: RequestPlace;
  /** The policy's reason, as the first of these steps recorded it; undefined where it gave none. */
  readonly reason: string | undefined;
}

export interface LifeLevel {
  readonly level: LeveledObject["level"];
  readonly pinned: boolean;
  readonly from: RequestPlace;
}

/**
 * The life of one object in a session: when it was met, in which requests its texts stood in full, shortened, as a
 * reference, left out or brought back, and why; and the versions of a file. Every step is read, no prompt rendered.
 * @param name its id or its alias, or the id of a call as the harness gave it
 * @param rendererFor says what "active" means under a layout; one that it does not know shows the log in its forms
 * @returns undefined where the session has not met it
 * @throws CmError `session/not-found`, `session/damaged`, or what the store throws
 */
export async function objectLife(
  store: ObjectStore,
  { session, name }: { readonly session: string; readonly name: string },
  rendererFor: RendererFor,
): Promise<ObjectLife | undefined> {
  checkObject(name);
  const heads = await readNamedHeads(store, session);
  const path = await loadPath(store, heads.session.head, { at: heads.basis });
  const last = walk(path, session);
  const id = namedIn(last, name);
  const object = id === undefined ? undefined : leveledObject(last, id);
  if (id === undefined || object === undefined) return undefined;
  const life = new Life(id, (layout) => rendererFor(layout)?.residency === "sets");
  const state = walk(path, session, life);
  return life.told(object, state.complete);
}

function walk({ steps, objects }: LoadedPath, session: string, life?: Life): LogState {
  const log = new ContextLog(session, 0);
  const { state } = log;
  for (const [n, { address, contentHash, document }] of steps.entries()) {
    const at = Object.freeze({ n, step: address, atMs: document && timeOf(document) });
    const decision = (document?.decision ?? {}) as PromptDecision;
    if (document === undefined) log.apply({ event: "erased", address, contentHash });
    else {
      log.apply({ event: "requested", step: document, objects });
      life?.request(document.layout, decision, state);
      log.apply({ event: "finished", step: document, objects, prices: { read: 0, write: 0 } });
    }
    life?.follow(at, decision, state);
  }
  return state;
}

const timeOf = ({ requested_at, recorded_at }: DocumentOf<"step">): number => requested_at ?? recorded_at;

/** The newest call where a harness gave an id twice. */
function namedIn({ aliases, sets, log }: LogState, name: string): string | undefined {
  const id = aliases.resolve(name);
  if (sets.index.has(id)) return id;
  for (let at = log.length - 1; at >= 0; at -= 1) {
    const entry = log[at];
    const object = entry?.kind === "result" || entry?.kind === "omitted" ? entry.object : undefined;
    const callId = entry?.kind === "result" || entry?.kind === "omitted" ? entry.callId : undefined;
    if (callId === name && object !== undefined) return object;
  }
  return undefined;
}

interface OpenText {
  readonly part: PlacedPart;
  readonly runs: LifeRun[];
}

/** Follows one object along a path. */
class Life {
  readonly #id: string;
  readonly #showsSets: (layout: string) => boolean;
  readonly #texts: OpenText[] = [];
  readonly #versions: { readonly contentHash: string; readonly from: RequestPlace }[] = [];
  readonly #levels: LifeLevel[] = [];
  #met: RequestPlace | undefined;
  /** Entries that were looked at. */
  #seen = 0;
  /** Under a layout that shows the active set: whether the object was in it at the request. */
  #isActive: boolean | undefined;
  #active: OpenText | undefined;

  /** @param showsSets whether the prompt has, under a layout, the members of the active set in full and nothing else */
  constructor(id: string, showsSets: (layout: string) => boolean) {
    this.#id = id;
    this.#showsSets = showsSets;
  }

  /** Before the decision is followed. */
  request(layout: string, { deactivate = [] }: PromptDecision, { sets, successions }: LogState): void {
    const id = successions.newest(this.#id);
    this.#isActive = this.#showsSets(layout) ? sets.active.has(id) && !deactivate.includes(id) : undefined;
  }

  /** @param state after the step, so that its log has the answer that stands first in the next request */
  follow(at: RequestPlace, decision: PromptDecision, state: LogState): void {
    for (const entry of state.log.slice(this.#seen)) {
      for (const part of partsShowing(state, entry, this.#id)) this.#texts.push({ part, runs: [] });
    }
    this.#seen = state.log.length;
    if (this.#isActive === undefined) this.#standInLog(at, decision, state);
    else this.#standInSet(at, decision, this.#isActive);
    if (state.sets.index.has(this.#id)) this.#met ??= at;
    this.#seeVersion(at, state);
    this.#seeLevel(at, state);
  }

  #standInLog(at: RequestPlace, decision: PromptDecision, state: LogState): void {
    const id = this.#id;
    for (const text of this.#texts) {
      // An answer and its results stand first in the next request.
      if ((state.log[text.part.at]?.step ?? 0) > at.n) continue;
      stand(text, standingOf(state, text.part), { at, decision, id });
    }
  }

  #standInSet(at: RequestPlace, decision: PromptDecision, isActive: boolean): void {
    if (!isActive && this.#active === undefined) return;
    const part = { at: -1, part: "", kind: "active set", call: undefined, lines: undefined, gone: undefined } as const;
    this.#active ??= { part: { ...part, chars: 0 }, runs: [] };
    stand(this.#active, isActive ? "in full" : "reference", { at, decision, id: this.#id });
  }

  told({ text, ...object }: LeveledObject, complete: boolean): ObjectLife | undefined {
    if (this.#met === undefined) return undefined;
    const chars = object.charCount ?? text?.length;
    return frozenCopy({
      object: { ...object, chars },
      met: this.#met,
      versions: this.#versions,
      texts: [
        ...(this.#active === undefined
          ? []
          : [{ ...lifePart(this.#active.part), chars: chars ?? 0, runs: this.#active.runs }]),
        ...this.#texts.filter(({ runs }) => runs.length > 0).map(({ part, runs }) => ({ ...lifePart(part), runs })),
      ],
      levels: this.#levels,
      complete,
    });
  }

  #seeVersion(from: RequestPlace, { inSight, successions }: LogState): void {
    const contentHash = inSight.get(successions.newest(this.#id))?.contentHash;
    if (contentHash === undefined || contentHash === this.#versions.at(-1)?.contentHash) return;
    this.#versions.push({ contentHash, from });
  }

  #seeLevel(from: RequestPlace, state: LogState): void {
    const object: (ViewObject & Pick<LeveledObject, "level" | "pinned">) | undefined = leveledObject(state, this.#id);
    const last = this.#levels.at(-1);
    if (object === undefined || !state.sets.index.has(this.#id)) return;
    const { level, pinned } = object;
    if (last?.level === level && last.pinned === pinned) return;
    this.#levels.push({ level, pinned, from });
  }
}

const lifePart = ({ at: _at, gone: _gone, ...part }: PlacedPart): LifePart => part;

function stand(
  { part, runs }: OpenText,
  standing: LifeStanding,
  { at, decision, id }: { readonly at: RequestPlace; readonly decision: PromptDecision; readonly id: string },
): void {
  const last = runs.at(-1);
  if (last?.standing === standing) runs[runs.length - 1] = { ...last, to: at };
  else runs.push({ standing, from: at, to: at, reason: reasonOf(decision, part, { standing, id }) });
}

/** Reasons name parts; what is brought back is named by its object, and of what is left out the first message alone. */
function reasonOf(
  { reasons = {} }: PromptDecision,
  { part, kind }: LifePart,
  { standing, id }: { readonly standing: LifeStanding; readonly id: string },
): string | undefined {
  const named = Object.keys(reasons);
  if (standing === "left out") return named.find((reason) => reason === leftOutReason);
  const names = kind === "active set" || (kind === "brought back" && standing === "in full") ? [id] : [part];
  return named.find((reason) => names.some((name) => reasons[reason]?.includes(name)));
}

const leftOutReason = "window: earlier turns left out";

/** A text of the log that shows an object, or of the calls that worked on it. */
export interface LifePart {
  /** As in `ContextView.forms`. */
  readonly part: string;
  /**
   * `brought back`: the text of the object once more, at the end of a later result. `active set`: the text of the object
   * itself, under a layout that shows the members of that set; its `part` is empty.
   */
  readonly kind: "output" | "arguments" | "brought back" | "active set";
  /** The call whose output or arguments it is, by its object, alias and tool; undefined for what was brought back. */
  readonly call: { readonly id: string; readonly alias: string; readonly tool: string } | undefined;
  /** UTF-16 units in full. */
  readonly chars: number;
  /** Lines of the file that it shows, from 1; undefined where that is not known. */
  readonly lines: { readonly start: number; readonly end: number | undefined } | undefined;
}

/**
 * How a text stood in a request. `left out`: its message left the prompt as a whole. `erased` and `missing` are told of all
 * requests, since what stood in them is lost: the text was erased since, or a damaged store has lost it.
 */
export type LifeStanding = "in full" | "shortened" | "reference" | "left out" | Gone;

type Gone = "erased" | "missing";

/** A part with the place of its entry in the log. */
export interface PlacedPart extends LifePart {
  readonly at: number;
  readonly gone: Gone | undefined;
}

/** The parts of one entry that show an object. @param id the newest one that stands for it */
function partsShowing(state: LogState, entry: LogEntry, id: string): readonly PlacedPart[] {
  const isIt = (other: string): boolean => state.successions.newest(other) === id;
  const { at } = entry;
  if (entry.kind === "recalled" && isIt(entry.object)) {
    const gone = entry.text === erasedMark ? "erased" : undefined;
    const recalled = { call: undefined, chars: entry.text.length, lines: undefined, gone } as const;
    return [{ at, part: resultPart(at), kind: "brought back", ...recalled }];
  }
  if (entry.kind === "result") {
    const span = entry.spans.find(({ file }) => isIt(file));
    if (entry.object !== id && span === undefined) return [];
    const lines = span && { start: span.start_line, end: span.end_line };
    const chars = entry.text?.length ?? 0;
    const gone = entry.text === null ? goneIn(state, entry.object) : undefined;
    return [{ at, part: resultPart(at), kind: "output", call: callNamed(state, entry), chars, lines, gone }];
  }
  if (entry.kind !== "assistant") return [];
  return entry.calls.flatMap((call, place): readonly PlacedPart[] => {
    const { object } = call;
    if (object === undefined || !(object === id || call.files.some(isIt))) return [];
    const chars = canonicalJson(call.args).length;
    const gone = goneIn(state, object);
    const named = callNamed(state, { object, tool: call.tool });
    return [{ at, part: argsPart(at, place), kind: "arguments", call: named, chars, lines: undefined, gone }];
  });
}

function goneIn({ objects }: LogState, id: string): Gone | undefined {
  const textless = objects.get(id)?.textless;
  return textless === "erased" || textless === "missing" ? textless : undefined;
}

const callNamed = (
  { objects }: LogState,
  { object, tool }: { readonly object: string; readonly tool: string },
): LifePart["call"] => ({ id: object, alias: objects.get(object)?.alias ?? "", tool });

/** How a part stood in the request whose decision the state has followed. */
export function standingOf({ log, forms }: LogState, { at, part, gone }: PlacedPart): LifeStanding {
  if (log[at]?.kind === "omitted") return "left out";
  if (gone !== undefined) return gone;
  return standings[forms.get(part)?.form ?? "full"];
}

const standings: Readonly<Record<PartForm["form"], LifeStanding>> = {
  full: "in full",
  sparse: "in full",
  same: "shortened",
  diff: "shortened",
  pointer: "shortened",
  spans: "shortened",
  replaced: "shortened",
  reference: "reference",
};
