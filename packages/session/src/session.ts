import {
  type Amendment,
  type AssembleOptions,
  type CommandOutcome,
  type ContextHost,
  type ContextView,
  type IncomingResult,
  type IncomingUser,
  indexedView,
  type Layout,
  type LeveledObject,
  type ListQuery,
  type LogEntry,
  logAfterOmission,
  type ObjectList,
  type OmittedTurns,
  type OtherWriter,
  type Prices,
  type RebuiltPrompt,
  type RecallOutcome,
  type RenderedPrompt,
  type SetCommand,
  type StepReceipt,
  type StepRecord,
  type TurnRecord,
  type WindowBound,
} from "@cm/context-log";
import {
  amendedBy,
  boundsOf,
  type ChatView,
  cacheOf,
  chatView,
  type Fold,
  frozenCopy,
  isWithin,
  type LogState,
  leveledObjects,
  madeRequest,
  PromptHasher,
  type SeenPart,
  type SessionView,
  seenParts,
  sessionView,
  viewOf,
  weighedRequest,
  windowOf,
} from "@cm/context-log/state";
import { type EraseReceipt, isCmError, type ObjectStore } from "@cm/object-model";
import { type RendererFor, rebuildPrompt } from "@cm/step-log";
import { findOmittedTurns, readTurn, type SessionHeads } from "@cm/step-log/load";
import { listObjects } from "./agent/list-objects.ts";
import { type CommandContext, recallObject, runCommand } from "./agent/run-command.ts";
import { sessionError } from "./errors.ts";
import { askedInVain } from "./files/asked-in-vain.ts";
import type { Checkouts } from "./files/checkouts.ts";
import { type FileTracking, FileWatch, type FileWatchOptions } from "./files/file-watch.ts";
import type { Discovery } from "./files/foreign-files.ts";
import type { KnownStates } from "./files/known-states.ts";
import {
  checkAmendments,
  checkAssembly,
  checkCommand,
  checkErasure,
  checkMessages,
  checkName,
  checkQuery,
  checkRecord,
} from "./input/check-input.ts";
import { cleanAmendments, cleanRecord, type Redactor, TextCleaner } from "./input/clean.ts";
import { LiveErasure, type LoadedAgain, namedObjects } from "./lifecycle/erase/live-erasure.ts";
import type { ResumeReport, Resuming } from "./lifecycle/resuming.ts";
import { writePause } from "./lifecycle/write-pause.ts";
import { enqueueMessages } from "./step/enqueue-messages.ts";
import type { StepWriter } from "./step/step-writer.ts";

/** What an open session is made of; `openSession` puts it together. */
interface SessionParts extends Layout, FileWatchOptions {
  readonly store: ObjectStore;
  readonly rendererFor: RendererFor;
  readonly prices: Prices;
  readonly window: WindowBound | undefined;
  readonly redact: Redactor | undefined;
  readonly now: () => number;
  readonly discovery: Discovery;
  readonly client: string;
  readonly writer: StepWriter;
  readonly opened: Omit<OpenedSession, "report">;
  readonly resuming: Resuming;
  readonly checkouts: Checkouts;
  readonly knownStates: KnownStates;
  /** No text stands for the system prompt that the store has lost. */
  readonly isPromptLost: boolean;
  readonly loadAgain: (heads: SessionHeads) => Promise<LoadedAgain>;
}

/** How a session was found when it was opened. */
export interface OpenedSession {
  /** It was there before. */
  readonly continued: boolean;
  /** What had changed meanwhile; absent before the first look. */
  readonly report?: ResumeReport;
  /** Held the lease then: two clients write this session (SSOT 2.6). */
  readonly otherWriter?: OtherWriter;
  /** Messages that had been received before it was paused, and stand in the next request. */
  readonly pendingMessages: number;
}

/** One agent's session, open for writing: the SSOT's client (5.1). Calls run one after the other. */
export class Session implements ContextHost {
  readonly contract = "harness/1";
  readonly #parts: SessionParts;
  readonly #hasher = new PromptHasher();
  readonly #watch: FileWatch;
  readonly #writer: StepWriter;
  readonly #erasure: LiveErasure;
  readonly #attemptedPauses = new Set<string>();
  /** Names that something was erased by, with its ids. */
  readonly #erased = new Map<string, readonly string[]>();
  #queue: Promise<unknown> = Promise.resolve();
  #isPromptLost: boolean;
  #closed = false;
  #closing: Promise<void> | undefined;
  #ended: Promise<void> | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#writer = parts.writer;
    this.#isPromptLost = parts.isPromptLost;
    this.#watch = new FileWatch(parts, (task) => this.#inTurn(task));
    this.#erasure = new LiveErasure({ ...parts, watch: this.#watch });
  }

  /** Takes it up where it was left, and follows its files. A store that takes no writes now is asked again later. */
  static async open(parts: SessionParts): Promise<Session> {
    const session = new Session(parts);
    try {
      await session.#whenReady(async () => void session.#keepKnownStates());
    } catch (error) {
      if (!isCmError(error) || !error.code.startsWith("store/")) throw error;
    }
    session.#watch.follow(session.#state.inSight.keys());
    return session;
  }

  /** Its id: another one once a step has begun a fork. */
  get session(): string {
    return this.#state.session;
  }

  /** Of the writer, since an erasure loads it again. */
  get #state(): LogState {
    return this.#writer.state;
  }

  /** How it was found. */
  get opened(): OpenedSession {
    const { opened, resuming } = this.#parts;
    return resuming.report === undefined ? opened : { ...opened, report: resuming.report };
  }

  async receive(messages: readonly (IncomingUser | IncomingResult)[]): Promise<void> {
    checkMessages(messages);
    return this.#whenReady(async () => {
      const { heads, step, state } = this.#writer;
      await enqueueMessages({ ...this.#parts, nextStep: heads.session.next_step, state, step }, messages);
    });
  }

  async assemble(options: AssembleOptions = {}): Promise<RenderedPrompt> {
    checkAssembly(options);
    return this.#watch.forRequest(() => this.#whenReady(() => this.#assembled(options)));
  }

  /**
   * What the messages of the next request would weigh as UTF-8 behind a prompt that begins a turn, without that prompt.
   * Opens no request, looks at no file and writes nothing; more than a window has room for is weighed, too.
   */
  weigh(options: AssembleOptions = {}): Promise<number> {
    checkAssembly(options);
    return this.#whenReady(async () => {
      const { prices, now } = this.#parts;
      const { systemPrompt } = this.#state;
      const cache = cacheOf(this.#state, options, { prices, atMs: now() });
      const view = { ...viewOf(this.#state, cache), ...this.#bounds(systemPrompt, options) };
      return weighedRequest({ ...view, turn: view.turn + 1 }, this.#parts);
    });
  }

  async record(record: StepRecord): Promise<StepReceipt> {
    checkRecord(record);
    return this.#inTurn(async () => {
      const { redact, checkouts } = this.#parts;
      const clean = cleanRecord(record, redact, this.#writer.step);
      const keyframe = this.#writer.heads.session.keyframe;
      const receipt = await this.#writer.record(clean, {
        checkouts: checkouts.now(),
        onCommit: () => this.#watch.prefetchScan(),
      });
      this.#watch.follow(this.#state.inSight.keys());
      if (this.#writer.heads.session.keyframe !== keyframe) this.#keepKnownStates();
      return receipt;
    });
  }

  async command(command: SetCommand): Promise<CommandOutcome> {
    checkCommand(command);
    return this.#whenReady(() => runCommand(this.#commandContext(), command));
  }

  async recall(id: string): Promise<RecallOutcome> {
    checkName(id);
    return this.#whenReady(() => recallObject(this.#commandContext(), id));
  }

  async amend(amendments: readonly Amendment[]): Promise<void> {
    checkAmendments(amendments);
    return this.#whenReady(async () => {
      const { step } = this.#writer;
      const { clean, redactions } = cleanAmendments(amendments, this.#parts.redact);
      const amended = amendedBy(this.#state, clean);
      step.amend(amended);
      if (amended.length > 0) step.redactions += redactions;
    });
  }

  /** Brings a file that another session stored into this one, where the option `discover` covers it. */
  async adopt(id: string): Promise<CommandOutcome> {
    checkName(id);
    return this.#whenReady(() => runCommand(this.#commandContext(), { action: "adopt", id }));
  }

  /** What the agent saw of a file, newest first: which lines of which version, and in which call's output. */
  seen(idOrAlias: string): readonly SeenPart[] {
    return seenParts(this.#state, this.#state.aliases.resolve(idOrAlias));
  }

  objects(): Promise<readonly LeveledObject[]> {
    return this.#inTurn(async () => leveledObjects(this.#state));
  }

  async list(query: ListQuery): Promise<ObjectList> {
    checkQuery(query);
    return this.#inTurn(() => listObjects(this.#state, this.#parts.discovery, query));
  }

  /** What was said and called in a turn, counted from 1, also where that left the prompt. */
  turn(turn: number): Promise<TurnRecord | undefined> {
    return this.#inTurn(() => readTurn(this.#parts.store, this.#state, turn));
  }

  omittedTurns(match?: string): Promise<OmittedTurns | undefined> {
    return this.#inTurn(() => {
      const { path, amendedAt, turn, depth, log } = this.#state;
      // For the model that answers the open request, what leaves with it has left.
      const { omit = [] } = this.#writer.step.request?.decision ?? {};
      const state = { path, amendedAt, turn, depth, log: omit.length === 0 ? log : logAfterOmission(log, omit) };
      return findOmittedTurns(this.#parts.store, state, match);
    });
  }

  promptAt(n: number): Promise<RebuiltPrompt> {
    return this.#inTurn(() => rebuildPrompt(this.#parts.store, { session: this.session, n }, this.#parts.rendererFor));
  }

  /**
   * Takes objects for good (SSOT 2.8), here, too: their text, not where it was quoted. The id of a step (`step:s:3`) means
   * what was typed and answered in it. An open request is given up.
   * @param named ids, aliases (`t7`), or paths of files as the agent sees them
   * @throws CmError `session/unknown-object` where one of them names nothing: then nothing is erased; or what the store throws
   */
  async erase(named: readonly string[], reason: string): Promise<EraseReceipt> {
    checkErasure(named, reason);
    return this.#whenReady(async () => {
      const { store } = this.#parts;
      const { state, step } = this.#writer;
      return this.#erasure.erase(await namedObjects(named, { store, state, step, before: this.#erased }), reason);
    });
  }

  /** How far this client follows each file of the session (SSOT 5.9), in the order of the index. */
  tracking(): readonly FileTracking[] {
    const { sets, objects, successions } = this.#state;
    const files = [...sets.index].filter((id) => objects.get(id)?.kind === "file" && successions.newest(id) === id);
    return this.#watch.states(files);
  }

  /** What policies see now, for reports: a frozen copy, which stays as it is while the session goes on. */
  view(): ContextView {
    const { index: _live, ...view } = viewOf(this.#state, "warm");
    return Object.freeze(indexedView(frozenCopy(view)));
  }

  /** The log as it was recorded, whatever others changed of its messages since. */
  recorded(): readonly LogEntry[] {
    const { log, recorded } = this.#state;
    return log.map((entry, at) => recorded.get(at) ?? entry);
  }

  /** The requests of the path that folded text of which something stands in the prompt, oldest first. */
  folds(): readonly Fold[] {
    return [...this.#state.folds];
  }

  /** The chat in the shape of SSOT 2.5. */
  chat(): ChatView {
    return chatView(this.#state);
  }

  /** The session wrapper in the shape of SSOT 3.1. */
  wrapper(): SessionView {
    return sessionView(this.#state);
  }

  /**
   * Waits for what is under way, writes what no step says yet, gives up the lease and closes. A request that is open is
   * given up; what the agent commanded since stays. Where it fails the session stays open, and it can be asked again.
   * Store and sources stay open: they were handed in.
   * @throws CmError `session/busy`, `session/damaged`, or what the store throws
   */
  close(): Promise<void> {
    if (this.#closed) return this.#end();
    // Asked behind it, `#inTurn` refuses: nothing may be taken in behind what is written now.
    this.#closing ??= this.#writeAndEnd().finally(() => {
      this.#closing = undefined;
    });
    return this.#closing;
  }

  /** Waits for what is under way and closes. Writes nothing to the store, as if the process had died. */
  abandon(): Promise<void> {
    this.#closed = true;
    return this.#end();
  }

  async #writeAndEnd(): Promise<void> {
    await this.#whenReady(() => this.#writePause());
    this.#closed = true;
    await this.#end();
  }

  /** Follows no file any more. */
  #end(): Promise<void> {
    this.#ended ??= this.#queue.then(async () => {
      await this.#keepKnownStates();
      await this.#watch.close();
    });
    return this.#ended;
  }

  async #assembled(options: AssembleOptions): Promise<RenderedPrompt> {
    const { prices, redact, now } = this.#parts;
    const { step, heads, state } = this.#writer;
    // With an empty one the agent would silently go on as another.
    if (options.systemPrompt === undefined && this.#isPromptLost) throw lostPrompt(state.session);
    this.#isPromptLost = false;
    const cleaner = new TextCleaner(redact);
    const systemPrompt =
      options.systemPrompt === undefined ? this.#state.systemPrompt : cleaner.text(options.systemPrompt);
    const known = step.request;
    const nowMs = now();
    // Asked again it is judged as it was then: time that passes makes no other request.
    const cache = cacheOf(this.#state, options, { prices, atMs: known?.madeAtMs ?? nowMs });
    const isSame = systemPrompt === this.#state.systemPrompt;
    const bounds = this.#bounds(systemPrompt, options);
    if (known !== undefined && known.cache === cache && isSame && isWithin(known, bounds)) {
      step.askedAgain(nowMs);
      return known.prompt;
    }
    step.giveUpRequest();
    step.see(await this.#watch.look(askedInVain(this.#state, this.#parts.files)));
    const { sent } = this.#state;
    const isUnreachable = (file: string): boolean => this.#watch.whyUnreachable(file) !== undefined;
    const makers = { ...this.#parts, isUnreachable };
    const made = madeRequest({ ...viewOf(this.#state, cache), systemPrompt, ...bounds }, makers, nowMs);
    step.open({ ...made, hash: this.#hasher.hash(made.prompt, sent), basis: heads.basis });
    if (!isSame) step.redactions += cleaner.redactions;
    step.use(systemPrompt);
    return made.prompt;
  }

  #bounds(systemPrompt: string, options: AssembleOptions) {
    return boundsOf(windowOf(this.#state, systemPrompt, options.window ?? this.#parts.window), options);
  }

  async #writePause(): Promise<void> {
    const { store, client, now } = this.#parts;
    const { step, isSystemPromptChanged, state, heads, lease } = this.#writer;
    step.giveUpRequest();
    step.see(this.#watch.take());
    const { pending, restored, attachments } = step;
    const context = { store, state, heads, client, nowMs: now(), lease, isSystemPromptChanged };
    const fork = await writePause({ ...context, pending, restored, attachments, attempted: this.#attemptedPauses });
    if (fork !== undefined) this.#writer.goOnIn(fork);
  }

  #keepKnownStates(): Promise<void> {
    const { knownStates, files } = this.#parts;
    return knownStates.save(files, this.#state.inSight.keys());
  }

  #commandContext(): CommandContext {
    return { state: this.#state, step: this.#writer.step, watch: this.#watch, discovery: this.#parts.discovery };
  }

  /** For what builds on the newest step: that must be known to be written, or known not to be, and was taken up. */
  #whenReady<T>(task: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      await this.#writer.settle();
      await this.#parts.resuming.intoStep(this.#writer.step);
      return task();
    });
  }

  /** Runs after everything that was asked before, whatever became of it. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    if (this.#closed || this.#closing !== undefined)
      return Promise.reject(sessionError("session/closed", `The session ${this.session} is closed.`));
    const result = this.#queue.then(() => this.#erasure.settle()).then(task);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}

function lostPrompt(session: string) {
  const message = `The store has lost the system prompt of session ${session}; hand one to assemble, or run a verification.`;
  return sessionError("session/damaged", message, { session });
}
