import { randomUUID } from "node:crypto";
import {
  type ContextPolicy,
  defaultPrices,
  firstChain,
  isCmError,
  type ObjectStore,
  type Prices,
  parseSessionId,
  type Renderer,
  type Source,
} from "@cm/object-model";
import type { DiscoverPrefix } from "./discovery/covered.ts";
import { sessionError } from "./errors.ts";
import { type Redactor, TextCleaner } from "./incoming/clean-text.ts";
import { FileIndex } from "./indexing/file-index.ts";
import { limits } from "./limits.ts";
import type { RendererFor } from "./prompt/rebuild.ts";
import { Session } from "./session.ts";
import { poolBudget } from "./sets/pool-budget.ts";
import type { SessionState } from "./state/session-state.ts";
import { loadPath, type RecordedRequest, stateAfter } from "./steps/load-state.ts";
import { pauseBy } from "./steps/pause.ts";
import { readHeads, type SessionHeads } from "./steps/read-path.ts";
import { firstHeads, systemPromptDocument } from "./steps/step-documents.ts";
import { readSystemPrompt, SystemPrompts } from "./steps/system-prompts.ts";

export interface OpenSessionOptions {
  readonly store: ObjectStore;
  readonly renderer: Renderer;
  readonly policy: ContextPolicy;
  readonly sources?: readonly Source[];
  /** Runs over every text before it is stored or shown, but for signed reasoning, which must stay as it is. */
  readonly redact?: Redactor;
  /** An existing session is continued, a new id starts one. Default: a new one. */
  readonly session?: string;
  /** For a new session; one that is continued keeps its own until `assemble` says otherwise. */
  readonly systemPrompt?: string;
  /** Default: read 0.1, write 1.25. */
  readonly prices?: Prices;
  /** Characters of system prompt and tool declarations, for the cost ledger. */
  readonly headChars?: number;
  /** Renderers of layouts that earlier steps were made with. Default: the session's own. */
  readonly rendererFor?: RendererFor;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Whether known files are looked at before each request (design 8). Default: true. */
  readonly sweep?: boolean;
  /** Whether the sources' trackers hint at changes between requests (SSOT 5.8). Default: false. */
  readonly track?: boolean;
  readonly keyframeEverySteps?: number;
  /** Waits between two attempts of a commit that another writer won. Default: a timer. */
  readonly wait?: (ms: number) => Promise<void>;
  /** Entries of the pool that are kept while nothing uses them (design 6). Default: `limits.poolEntriesMax`. */
  readonly poolEntriesMax?: number;
  /** Files of other sessions that the agent may list and adopt, by where they lie. Default: none. */
  readonly discover?: readonly DiscoverPrefix[];
}

/**
 * Opens a session: the SSOT's client (5.1), made of contracts that are handed in.
 * @throws CmError `model/invalid-id`, `session/damaged`, or what the store throws
 */
export async function openSession(options: OpenSessionOptions): Promise<Session> {
  const { store, renderer, policy, sources = [], redact, prices = defaultPrices, now = Date.now } = options;
  const session = parseSessionId(options.session ?? randomUUID());
  const cleaner = new TextCleaner(redact);
  const heads = (await readHeads(store, session)) ?? (await startSession(options, session, cleaner));
  const rendererFor: RendererFor =
    options.rendererFor ?? ((layout) => (layout === renderer.layout ? renderer : undefined));
  const systemPrompt = await readSystemPrompt(store, session, heads.basis);
  const files = new FileIndex(store, sources, { redact, now });
  const state = await stateAtHead(options, heads, { session, rendererFor, files });
  state.systemPrompt = systemPrompt ?? "";
  return new Session({
    store,
    renderer,
    policy,
    prices,
    redact,
    now,
    rendererFor,
    state,
    heads,
    pause: pauseBy(options.wait),
    storedSystemPrompt: systemPrompt,
    redactions: cleaner.redactions,
    files,
    sweep: options.sweep ?? true,
    tracked: options.track === true ? sources : [],
    keyframeEverySteps: options.keyframeEverySteps ?? limits.keyframeEverySteps,
    poolEntriesMax: poolBudget(options.poolEntriesMax),
    discovery: { store, prefixes: options.discover ?? [], displayOf: (source) => files.displayOf(source) },
  });
}

/** The state that the heads vouch for. @throws CmError `session/damaged` where the steps are not those */
async function stateAtHead(
  { store, prices = defaultPrices, headChars = 0 }: OpenSessionOptions,
  { session: { head, chain } }: SessionHeads,
  {
    session,
    rendererFor,
    files,
  }: { readonly session: string; readonly rendererFor: RendererFor; readonly files: FileIndex },
): Promise<SessionState> {
  const systemPrompts = new SystemPrompts(store);
  const render = async ({ layout, basis, view, decision, ...step }: RecordedRequest) => {
    const systemPrompt = (await systemPrompts.at(step.session, basis)) ?? "";
    return rendererFor(layout)?.render({ ...view, session: step.session, systemPrompt }, decision);
  };
  const path = await loadPath(store, head);
  const state = await stateAfter(path, session, { prices, headChars, render });
  for (const [id, { contentHash }] of state.inSight) {
    const document = path.objects.file(id, contentHash);
    if (document !== undefined) files.resume(document);
  }
  if (state.chain === chain) return state;
  throw sessionError(
    "session/damaged",
    `The steps of session ${session} are not those that its head vouches for. Run a verification of its database.`,
    { session },
  );
}

/** Writes the infrastructure of a new session (SSOT 5.7). Where two clients start one, both go on with the first. */
async function startSession(
  { store, systemPrompt = "" }: OpenSessionOptions,
  session: string,
  cleaner: TextCleaner,
): Promise<SessionHeads> {
  const documents = [
    ...firstHeads(session, firstChain(session)),
    systemPromptDocument(session, cleaner.text(systemPrompt)),
  ];
  let lost: unknown;
  try {
    await store.commit(documents.map((document) => ({ document, expect: "absent" })));
  } catch (error) {
    if (!isCmError(error, "store/conflict") && !isCmError(error, "store/unknown-outcome")) throw error;
    lost = error;
  }
  const heads = await readHeads(store, session);
  if (heads !== undefined) return heads;
  if (isCmError(lost, "store/unknown-outcome")) throw lost;
  throw sessionError("session/damaged", `The session ${session} was written and cannot be read back.`, { session });
}
