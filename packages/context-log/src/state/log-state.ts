import { type Checkout, firstChain, type StepAddress } from "@cm/object-model";
import { type Billing, noBilling } from "../cost/billing.ts";
import type { CountedRequest } from "../cost/counted-requests.ts";
import type { KeyframeBase } from "../keyframe/keyframe-chain.ts";
import type { LogEntry } from "../log-entries.ts";
import { LogIndex } from "../log-index.ts";
import { Aliases } from "../objects/aliases.ts";
import { ObjectTable } from "../objects/object-table.ts";
import { Successions } from "../objects/successions.ts";
import type { PartForm } from "../part-form.ts";
import type { NoteOrigin, PathRow } from "../path/origins.ts";
import { StepPath } from "../path/step-path.ts";
import { IdSet } from "../sets/id-set.ts";
import { IdTable } from "../sets/id-table.ts";
import { emptySets, type SessionSets } from "../sets/session-sets.ts";
import type { ContextView, CostLedger, RenderedPrompt, ViewObject, ViewSets } from "../view.ts";
import type { Fold } from "./folds.ts";
import { OmittedRows } from "./omitted-rows.ts";
import { OpenCalls } from "./open-calls.ts";
import type { RememberedRequest } from "./request-facts.ts";

/** The version of a file that this session has in sight, and the path under which it last met it. */
export interface FileInSight {
  readonly contentHash: string;
  readonly display: string | undefined;
  /** The file in whose place it stands; undefined for none. */
  readonly succeeds?: string | undefined;
}

/**
 * Everything an open session knows, at one point of its path of steps. The reducer alone changes it (`ContextLog`), in the
 * same way whether a step was just made or is read back; so a resumed session is what it was.
 */
export interface MutableState {
  /** Another one where a step began a fork. */
  session: string;
  /** Those whose steps are on the path: its own, and those that it continues. */
  sessions: Set<string>;
  /** The newest step of the path, which the next one continues. */
  head: StepAddress | null;
  chain: string;
  /** Steps on the path: the number of the request that comes next, as policies count. */
  depth: number;
  /** SSOT "turn" of the newest prompt, from 0; -1 before the first. */
  turn: number;
  answered: boolean;
  /** When the newest request was made, and who answered it; undefined where no step says so. */
  requestedAtMs: number | undefined;
  model: string | undefined;
  /** Results on the path. */
  toolcallCount: number;
  systemPrompt: string;
  /** Grows at its end. Another array where entries were amended or left the prompt, since readers keep what they learned of one. */
  log: LogEntry[];
  /** Entries as they were recorded, where others changed what is sent of them; by their place. */
  readonly recorded: Map<number, LogEntry>;
  /** Entries of which something was erased, by their place. */
  readonly erasedAt: Set<number>;
  /** Where in the log the entries begin that came since the newest step. */
  newFrom: number;
  readonly objects: ObjectTable;
  /** Objects whose texts came from the store since the newest step. */
  readonly brought: Set<string>;
  readonly sets: SessionSets & { readonly index: IdSet };
  /** Pool entries that nothing holds, after the newest step: the one that was used longest ago first. */
  readonly idle: Set<string>;
  readonly forms: Map<string, PartForm>;
  /** Of `log` and `forms`. */
  index: LogIndex;
  /** The requests that folded text of which something stands in the log yet, oldest first. */
  folds: Fold[];
  readonly aliases: Aliases;
  /** The facts of the entries that left the prompt. */
  readonly omitted: OmittedRows;
  readonly openCalls: OpenCalls;
  readonly inSight: Map<string, FileInSight>;
  readonly successions: Successions;
  /** Where in the log the newest part of a file stands that a call showed. */
  readonly seenAt: Map<string, number>;
  /** The working copies that the files lay in when the newest step was recorded. */
  checkouts: readonly Checkout[];
  /** In how many parts of the prompt an object stands in full. */
  readonly shown: Map<string, number>;
  /** Characters of the plain log: what the agent alone would send. */
  plainChars: number;
  ledger: CostLedger;
  /** The newest requests that the provider counted, the newest last. */
  counted: readonly CountedRequest[];
  sent: RenderedPrompt | undefined;
  /** False once text was met that is gone. */
  complete: boolean;
  /** Objects that are missing in the store without an erasure. */
  readonly missing: Set<string>;
  /** Where the log has its first erased step: from here on, places in old decisions mean nothing. */
  gapAt: number | undefined;
  /** The steps of the path, and where in the log each of them ends. */
  readonly path: StepPath;
  /** By place in the log: which texts a note tells. */
  readonly origins: Map<number, NoteOrigin>;
  /** By `{at}.{call}`: the depth of the step whose amendment holds. */
  readonly amendedAt: Map<string, number>;
  /** By part: the depth of the step whose decision gave its form. */
  readonly formedAt: Map<string, number>;
  /** What the ledger is made of, whatever the prices. */
  billing: Billing;
  /** The newest keyframe on the path; undefined where the next one holds everything. */
  keyframe: KeyframeBase | undefined;
  /** The newest requests on the path, oldest first: those since the keyframe, as far as they are known. */
  requests: RememberedRequest[];
}

/** The same for all who do not change it: the state of a log as its readers see it. */
export type LogState = { readonly [K in keyof MutableState]: ReadOnly<MutableState[K]> };

type ReadObjects = "placeOf" | "placeOfNumber" | "idAt" | "isInStore" | "keptAsTheyAre";

type ReadOnly<T> = T extends OmittedRows
  ? Pick<OmittedRows, "entry">
  : T extends ObjectTable
    ? ReadonlyMap<string, ViewObject> & Pick<ObjectTable, ReadObjects>
    : T extends Aliases
      ? Pick<Aliases, "resolve" | "given">
      : T extends OpenCalls
        ? Pick<OpenCalls, "all" | "callOf" | "waiting">
        : T extends Successions
          ? Pick<Successions, "newest" | "size" | "olderThan" | "shownFor">
          : T extends StepPath
            ? Pick<StepPath, "length" | "at" | "address" | "endOf" | "stepOf"> & Iterable<PathRow>
            : T extends SessionSets
              ? ViewSets & { readonly index: Pick<IdSet, "numberAt"> }
              : T extends Map<infer K, infer V>
                ? ReadonlyMap<K, V>
                : T extends Set<infer V>
                  ? ReadonlySet<V>
                  : T extends (infer E)[]
                    ? readonly E[]
                    : T;

export function emptyState(session: string, headChars: number): MutableState {
  const successions = new Successions();
  const ids = new IdTable();
  const log: LogEntry[] = [];
  const forms = new Map<string, PartForm>();
  const index = new LogIndex(log, forms);
  return {
    session,
    sessions: new Set([session]),
    head: null,
    chain: firstChain(session),
    depth: 0,
    turn: -1,
    answered: true,
    requestedAtMs: undefined,
    model: undefined,
    toolcallCount: 0,
    systemPrompt: "",
    log,
    recorded: new Map(),
    erasedAt: new Set(),
    newFrom: 0,
    objects: new ObjectTable(ids),
    brought: new Set(),
    sets: { ...emptySets(), index: new IdSet(ids) },
    idle: new Set(),
    forms,
    index,
    folds: [],
    aliases: new Aliases(successions, ids),
    omitted: new OmittedRows(ids),
    openCalls: new OpenCalls(),
    inSight: new Map(),
    successions,
    seenAt: new Map(),
    checkouts: [],
    shown: new Map(),
    plainChars: 0,
    ledger: { requests: 0, billed: 0, plainBilled: 0, plainChars: 0, headChars },
    counted: [],
    sent: undefined,
    complete: true,
    missing: new Set(),
    gapAt: undefined,
    path: new StepPath(),
    origins: new Map(),
    amendedAt: new Map(),
    formedAt: new Map(),
    billing: noBilling,
    keyframe: undefined,
    requests: [],
  };
}

/** What policy and renderer may know (contract `ContextView`). */
export function viewOf(state: LogState, cache: "warm" | "cold"): ContextView {
  return {
    session: state.session,
    step: state.depth,
    turn: Math.max(0, state.turn),
    systemPrompt: state.systemPrompt,
    log: state.log,
    objects: state.objects,
    sets: state.sets,
    forms: state.forms,
    index: state.index,
    sent: state.sent,
    ledger: state.ledger,
    cache,
  };
}
