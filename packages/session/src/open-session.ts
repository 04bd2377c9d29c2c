import { randomUUID } from "node:crypto";
import { defaultPrices, type Layout, type Prices, type RenderedPrompt, type WindowBound } from "@cm/context-log";
import { type ContextLog, poolBudget, rendered } from "@cm/context-log/state";
import { defined, type ObjectStore, parseSessionId, type Source, type StateCache } from "@cm/object-model";
import type { RendererFor } from "@cm/step-log";
import {
  isPromptLost,
  loadPath,
  loadRecent,
  logAfter,
  type RecordedRequest,
  type SessionHeads,
  SystemPrompts,
} from "@cm/step-log/load";
import { sessionError } from "./errors.ts";
import { Checkouts } from "./files/checkouts.ts";
import { FileIndex } from "./files/file-index.ts";
import type { DiscoverPrefix } from "./files/foreign-files.ts";
import { KnownStates } from "./files/known-states.ts";
import { checkOpening } from "./input/check-input.ts";
import { type Redactor, TextCleaner } from "./input/clean.ts";
import type { LoadedAgain } from "./lifecycle/erase/live-erasure.ts";
import { Resuming } from "./lifecycle/resuming.ts";
import { limits } from "./limits.ts";
import { Session } from "./session.ts";
import { ownerHere, ownerName, takeUpOrStart } from "./step/contention.ts";
import { readPendingObjects } from "./step/pending.ts";
import { StepWriter } from "./step/step-writer.ts";

export interface OpenSessionOptions {
  readonly store: ObjectStore;
  /** What stands in a prompt, and how it is written: the policy and the renderer that belong together. */
  readonly layout: Layout;
  readonly sources?: readonly Source[];
  /** Runs over every text before it is stored or shown, but for signed reasoning, which must stay as it is. */
  readonly redact?: Redactor;
  /** An existing session is continued, a new id starts one. Default: a new one. */
  readonly session?: string;
  /**
   * Default: that of the session, and none for a new one, or where it was erased. Another text than the stored one is written with the
   * next step. Where the store has lost it, `assemble` asks for one.
   */
  readonly systemPrompt?: string;
  /** Default: read 0.1, write 1.25. */
  readonly prices?: Prices;
  /** Characters of system prompt and tool declarations, for the cost ledger. */
  readonly headChars?: number;
  /** What each request may weigh, unless `assemble` says otherwise. Default: nothing bounds it. */
  readonly window?: WindowBound;
  /** Renderers of layouts that earlier steps were made with. Default: the one of `layout`. */
  readonly rendererFor?: RendererFor;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Whether known files are looked at before each request (SSOT 5.6). Default: true. */
  readonly sweep?: boolean;
  /** Whether the sources' trackers hint at changes between requests (SSOT 5.8). Default: false. */
  readonly track?: boolean;
  /** Whether the agent is told what changed since it last looked, when a session is continued. Default: true. */
  readonly tellResumed?: boolean;
  /** What this client keeps of its files from one process to the next, so that resuming reads what changed alone. */
  readonly stateCache?: StateCache;
  /** How this client names itself in the session's lease. Default: host, process and a random part. */
  readonly owner?: string;
  /** For how long a lease holds. Default: `limits.leaseMs`. */
  readonly leaseMs?: number;
  /** Steps between two keyframes. Default: 100 and more, as the session's sets grow. */
  readonly keyframeEverySteps?: number;
  /** Entries of the pool that are kept while nothing uses them (SSOT 3.2). Default: `limits.poolEntriesMax`. */
  readonly poolEntriesMax?: number;
  /** Files of other sessions that the agent may list and adopt, by where they lie. Default: none. */
  readonly discover?: readonly DiscoverPrefix[];
}

/** In the order in which they are said to who hands in another one. */
const optionNames = Object.keys({
  store: true,
  layout: true,
  sources: true,
  redact: true,
  session: true,
  systemPrompt: true,
  prices: true,
  headChars: true,
  window: true,
  rendererFor: true,
  now: true,
  sweep: true,
  track: true,
  tellResumed: true,
  stateCache: true,
  owner: true,
  leaseMs: true,
  keyframeEverySteps: true,
  poolEntriesMax: true,
  discover: true,
} satisfies Record<keyof OpenSessionOptions, true>);

/**
 * Opens a session: the SSOT's client (5.1), made of contracts that are handed in. One that exists is resumed (SSOT 3.6):
 * its files are looked at, and what changed stands in the next request.
 * @throws CmError `session/invalid-input`, `model/invalid-id`, `session/damaged`, `session/busy`, or what the store throws
 */
export async function openSession(options: OpenSessionOptions): Promise<Session> {
  checkOpening(options, optionNames);
  const { store, layout, sources = [], redact, window, sweep = true, tellResumed: tell = true } = options;
  const { prices = defaultPrices, headChars = 0, now = Date.now, owner = ownerHere() } = options;
  const { policy, renderer } = layout;
  const session = parseSessionId(options.session ?? randomUUID());
  const client = randomUUID();
  const cleaner = new TextCleaner(redact);
  const given = options.systemPrompt === undefined ? undefined : cleaner.text(options.systemPrompt);
  const lasting = { session, owner: ownerName(owner), leaseMs: options.leaseMs ?? limits.leaseMs };
  const taken = await takeUpOrStart({ ...lasting, store, client, nowMs: now() }, given ?? "");
  const { heads, lease, continued } = taken;
  const rendererFor: RendererFor = options.rendererFor ?? ((name) => (name === renderer.layout ? renderer : undefined));
  const loading = { store, prices, headChars, rendererFor };
  const systemPrompts = new SystemPrompts(store, heads.basis);
  const stored = await systemPrompts.newest(session);
  const isPromptGone = given === undefined && stored === undefined;
  const files = new FileIndex(store, sources, { redact, now });
  const knownStates = new KnownStates(options.stateCache);
  const { log, paths } = await logAtHead({ ...loading, session }, heads, { systemPrompts, files, knownStates });
  log.apply({ event: "system prompt", text: given ?? stored ?? "" });
  const { state } = log;
  const writer = new StepWriter({
    ...{ client, store, log, heads, files, lease, prices, now },
    residency: renderer.residency,
    keyframeEverySteps: options.keyframeEverySteps,
    poolEntriesMax: poolBudget(options.poolEntriesMax),
    storedSystemPrompt: stored,
  });
  if (!continued || writer.isSystemPromptChanged) writer.step.redactions = cleaner.redactions;
  const checkouts = new Checkouts(sweep ? sources : []);
  const { pending } = heads.session;
  const objects = await readPendingObjects(store, files, pending);
  return Session.open({
    ...{ store, policy, renderer, rendererFor, prices, window, redact, now },
    ...{ client, writer, files, sweep, checkouts, knownStates },
    isPromptLost: isPromptGone && (await isPromptLost(store, session, heads.basis)),
    loadAgain: (known) => loadAgain({ ...loading, session: writer.state.session }, known),
    opened: {
      continued,
      pendingMessages: pending?.messages?.length ?? 0,
      ...defined({ otherWriter: taken.otherWriter }),
    },
    resuming: new Resuming({ state, files, checkouts, look: sweep && continued, tell, pending, objects, paths }),
    tracked: options.track === true ? sources : [],
    discovery: { store, prefixes: options.discover ?? [], displayOf: (source) => files.displayOf(source) },
  });
}

/** What a log is loaded with. */
interface Loading {
  readonly store: ObjectStore;
  readonly session: string;
  readonly prices: Prices;
  readonly headChars: number;
  readonly rendererFor: RendererFor;
}

interface Opening {
  readonly systemPrompts: SystemPrompts;
  readonly files: FileIndex;
  readonly knownStates: KnownStates;
}

/** The log that the heads vouch for. @throws CmError `session/damaged` where the steps are not those */
async function logAtHead(
  { store, session, rendererFor, ...settings }: Loading,
  { session: { head, chain }, basis }: SessionHeads,
  { systemPrompts, files, knownStates }: Opening,
): Promise<{ readonly log: ContextLog; readonly paths: ReadonlyMap<string, string> }> {
  const render = recordedRenderer(rendererFor, systemPrompts);
  let path = await loadRecent(store, head, { ...settings, session, at: basis });
  let log = await logAfter(path, session, { ...settings, render });
  if (log.state.chain !== chain && path.from !== undefined) {
    path = await loadPath(store, head, { at: basis });
    log = await logAfter(path, session, { ...settings, render });
  }
  const kept = await knownStates.load([...log.state.inSight.keys()]);
  const paths = new Map<string, string>();
  for (const [id, { contentHash }] of log.state.inSight) {
    const document = path.objects.file(id, contentHash);
    if (document !== undefined) files.resume(document, kept.get(id));
    const now = document?.source == null ? undefined : files.pathNow(document.source);
    if (now !== undefined) paths.set(id, now);
  }
  if (log.state.chain !== chain) throw otherSteps(session, "are not those that its head vouches for");
  return { log, paths };
}

/** The state at the heads that an open session knows, from the store as it is now. @throws CmError `session/damaged` */
async function loadAgain(
  { store, session, rendererFor, ...settings }: Loading,
  { session: { head, chain } }: SessionHeads,
): Promise<LoadedAgain> {
  const systemPrompts = new SystemPrompts(store);
  const path = await loadPath(store, head);
  const log = await logAfter(path, session, { ...settings, render: recordedRenderer(rendererFor, systemPrompts) });
  if (log.state.chain !== chain) throw otherSteps(session, "changed");
  return { log, systemPrompt: await systemPrompts.newest(session), file: path.objects.file };
}

/** Renders recorded requests once more, each with the system prompt of the session that it is of. */
function recordedRenderer(rendererFor: RendererFor, systemPrompts: SystemPrompts) {
  return async ({ layout, written, view, decision, session }: RecordedRequest): Promise<RenderedPrompt | undefined> => {
    const systemPrompt = (await systemPrompts.at(session, written)) ?? "";
    const renderer = rendererFor(layout);
    return renderer === undefined ? undefined : rendered(renderer, { ...view, systemPrompt }, decision);
  };
}

function otherSteps(session: string, what: string) {
  const message = `The steps of session ${session} ${what}. Run a verification of its database.`;
  return sessionError("session/damaged", message, { session });
}
