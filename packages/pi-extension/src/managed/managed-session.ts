import { join } from "node:path";
import type {
  AssembleOptions,
  CommandOutcome,
  ListQuery,
  ObjectList,
  OmittedTurns,
  RecallOutcome,
  RenderedPrompt,
  SessionFork,
  SetCommand,
  TurnRecord,
} from "@cm/context-log";
import { isCmError } from "@cm/object-model";
import type { OpenedSession } from "@cm/session";
import type { Redactor } from "@cm/sources-fs";
import type { BranchItem } from "../branch/branch-item.ts";
import { itemsOfMessages } from "../branch/branch-items.ts";
import { CurrentItems } from "../branch/current-items.ts";
import { piError } from "../errors.ts";
import type { Figures } from "../figures/figures.ts";
import type { SessionFigures } from "../figures/session-figures.ts";
import type { Health } from "../health.ts";
import { limits } from "../limits.ts";
import { ExtensionChangeDetector, type ExtensionChanges, noExtensionChanges } from "../others/extension-changes.ts";
import type { PiSide } from "../pi/pi-side.ts";
import type { PiMessage } from "../pi/pi-types.ts";
import { OutgoingMessages } from "../prompt/outgoing-messages.ts";
import type { FoldedSession } from "../status/fold-notices.ts";
import { appendLink } from "./append-link.ts";
import type { FollowedSession } from "./followed-session.ts";
import { historyOf } from "./history-of.ts";
import type { HistoryRow, Managed, SessionSnapshot, ShownObject } from "./managed.ts";
import { PendingCommands } from "./pending-commands.ts";
import { SessionSelector, type SessionSelectorOptions } from "./session-selector.ts";
import type { Steering } from "./steering.ts";
import { withTimeout } from "./with-timeout.ts";

export interface ManagedSessionOptions extends Omit<SessionSelectorOptions, "onRetry"> {
  readonly side: PiSide;
  readonly redact: Redactor;
  readonly storePlace: string;
  /** Absent under a layout that folds nothing. */
  readonly steering?: Steering | undefined;
  readonly figures?: SessionFigures;
}

/** What a request is made of. `fault`: why that is not the branch. */
interface Found {
  readonly items: readonly BranchItem[];
  readonly work: ExtensionChanges;
  readonly fault?: unknown;
}

/** What Pi asks for with one request. */
interface Asked extends Omit<Found, "fault"> {
  readonly options: AssembleOptions;
}

/** One session of Pi under management, from its start to its end. Nothing that it is asked for waits without bound. */
export class ManagedSession implements Managed {
  readonly storePlace: string;
  readonly steering: Steering | undefined;
  readonly #side: PiSide;
  readonly #lines: SessionSelector;
  readonly #items: CurrentItems;
  readonly #handed: OutgoingMessages;
  #queue: Promise<unknown> = Promise.resolve();
  /** A request was late, and what it waited for is not over yet. */
  #isStuck = false;
  readonly #pendingCommands = new PendingCommands();
  readonly #others = new ExtensionChangeDetector();
  readonly #figures: SessionFigures | undefined;
  #prompt: RenderedPrompt | undefined;
  /** The newest link that was written. */
  #linked: { readonly session: string; readonly n: number | undefined } | undefined;

  constructor(options: ManagedSessionOptions) {
    this.#side = options.side;
    this.storePlace = options.storePlace;
    this.steering = options.steering;
    this.#figures = options.figures;
    this.#items = new CurrentItems(options.side);
    this.#handed = new OutgoingMessages(options.redact);
    this.#lines = new SessionSelector({ ...options, onRetry: () => void this.catchUp() });
    this.#lines.begin(this.#items.nowOr([]));
  }

  get health(): Health {
    return this.#lines.health(this.#items.nowOr([]));
  }

  get figures(): Figures | undefined {
    return this.#figures?.now();
  }

  get sessionId(): string | undefined {
    return this.#lines.durable?.session.session;
  }

  /** The newest prompt, as far as the session made it. */
  get prompt(): RenderedPrompt | undefined {
    return this.#prompt;
  }

  opened(): OpenedSession | undefined {
    return this.#lines.durable?.session.opened;
  }

  /** The fork that the session goes on in since another program wrote it. */
  forked(): SessionFork | undefined {
    return this.#lines.durable?.follower.fork;
  }

  /** The session that was left for this one, since the database has lost something of it. */
  left(): string | undefined {
    return this.#lines.durable?.left;
  }

  /** Of the session in the database. Undefined until it is open. */
  insideNow(): FoldedSession | undefined {
    return this.#lines.durable?.session;
  }

  inside(): Promise<SessionSnapshot> {
    return this.#ask(async ({ session }) => ({ view: session.view(), folds: session.folds() }));
  }

  /** The messages of the next request, for Pi's `context` event. Never throws, never gives the raw history. */
  async messagesFor(messages: readonly PiMessage[], options: AssembleOptions): Promise<PiMessage[]> {
    const found = this.#branchOf(messages);
    const made = await this.#made(found, options);
    this.#figures?.asked(found.work, made);
    return made;
  }

  async #made(found: Found, options: AssembleOptions): Promise<PiMessage[]> {
    try {
      const { items, work, fault } = found;
      if (fault !== undefined) throw fault;
      return await withTimeout(
        this.#inTurn(() => this.#lines.on(items, (line) => this.#request(line, { items, work, options }))),
        this.#isStuck ? limits.awayMs : limits.openMs + limits.promptMs,
      );
    } catch (error) {
      this.#prompt = undefined;
      // Another request would only wait for the same.
      if (isCmError(error, "pi/unavailable")) this.#isStuck = true;
      this.#lines.failed(error);
      return this.#handed.withoutSession(found.items, found.work, options.window);
    } finally {
      this.#changed();
    }
  }

  /** The model has begun to answer: time for what the next request will want. */
  prepare(): void {
    this.#handed.prepare();
  }

  /**
   * Writes the step. Where the model goes on after its calls, the next request is made, too, and then needs nothing
   * more: that is waited for a little; what takes longer goes on, and the request waits for it.
   */
  async turnEnded(options: AssembleOptions): Promise<void> {
    const goesOn = this.#items.nowOr([]).at(-1)?.kind === "result";
    const work = this.catchUp(goesOn ? options : undefined);
    if (goesOn) await withTimeout(work, limits.aheadMs).catch(() => undefined);
  }

  /**
   * Writes the steps that are over, and makes the next request where it is known. Never throws: what fails is tried
   * again.
   */
  async catchUp(next?: AssembleOptions): Promise<void> {
    try {
      await this.#inTurn(async () => {
        const items = this.#items.now();
        await this.#lines.leaveGone();
        await this.#lines.on(items, async (line) => {
          await line.follower.follow(items, { isOver: false, next: next && this.#optionsWith(next) });
          this.#linkFork(line);
          await this.#repeatWishes(line);
          this.#lines.answered();
        });
      });
    } catch (error) {
      this.#lines.failed(error);
    } finally {
      this.#changed();
    }
  }

  /**
   * The turn is over: the branch is told how far the session is. Waits a little, for a process that ends then; what is
   * written later is told then.
   */
  async settle(waitMs: number = limits.settleMs): Promise<void> {
    this.#figures?.keep();
    await withTimeout(
      this.catchUp().then(() => this.#linkNewest()),
      waitMs,
    ).catch(() => undefined);
    this.#linkNewest();
  }

  #linkNewest(): void {
    const line = this.#lines.durable;
    if (line?.follower.lastStep === undefined) return;
    // It is still of the branch that people left.
    if (!line.follower.goesOn(this.#items.nowOr([]))) return;
    this.#link(line);
  }

  /** Written at once: a process that ends now must find the fork again, not the session that another program wrote. */
  #linkFork(line: FollowedSession): void {
    const { fork } = line.follower;
    if (line !== this.#lines.durable || fork === undefined || fork.session === this.#linked?.session) return;
    this.#link(line);
  }

  #link(line: FollowedSession): void {
    const { session } = line.session;
    const n = line.follower.lastStep;
    if (session === this.#linked?.session && n === this.#linked.n) return;
    try {
      appendLink(this.#side, line);
      this.#linked = { session, n };
    } catch {
      // The next turn appends it; until then an older link leads to the same session.
    }
  }

  /** What the messages of the next request would weigh in bytes, without the prompt that it is for. */
  weigh(options: AssembleOptions): Promise<number> {
    return this.#ask(async ({ follower, session }) => {
      await follower.follow(this.#items.now(), { isOver: false });
      return session.weigh(options);
    });
  }

  command(command: SetCommand): Promise<CommandOutcome> {
    return this.#ask(async (line) => {
      const outcome = await line.session.command(command);
      if (line !== this.#lines.durable) await this.#pendingCommands.keep(command, outcome, line.session);
      return outcome;
    });
  }

  recall(id: string): Promise<RecallOutcome> {
    return this.#ask(({ session }) => session.recall(id));
  }

  list(query: ListQuery): Promise<ObjectList> {
    return this.#ask(({ session }) => session.list(query));
  }

  turn(turn: number): Promise<TurnRecord | undefined> {
    return this.#ask(({ session }) => session.turn(turn));
  }

  omittedTurns(match?: string): Promise<OmittedTurns | undefined> {
    return this.#ask(({ session }) => session.omittedTurns(match));
  }

  async show(name: string): Promise<ShownObject | undefined> {
    const objects = await this.#ask(({ session }) => session.objects());
    const paths = [name, join(this.#side.cwd, name)];
    return objects.find(({ id, alias, path }) => [id, alias].includes(name) || (path && paths.includes(path)));
  }

  async history(idOrAlias: string): Promise<readonly HistoryRow[]> {
    const object = await this.show(idOrAlias);
    return object === undefined ? [] : this.#ask(({ store }) => historyOf(store, object.id));
  }

  async probe(): Promise<void> {
    await this.#ask(({ store, session }) => store.getMany([`session:${session.session}`]));
    const { state, reason } = this.health;
    if (state !== "ok") throw unavailable(reason);
  }

  async close(): Promise<void> {
    // Nothing writes after it: on a busy machine a moment more is better than a session that is behind until it is
    // resumed.
    await this.settle(limits.closeMs);
    await this.#lines.close();
  }

  async #request(line: FollowedSession, { items, work, options }: Asked): Promise<PiMessage[]> {
    await line.follower.follow(items, { isOver: true });
    this.#linkFork(line);
    await this.#repeatWishes(line);
    const { session, follower, told } = line;
    await told.tell({ log: session.view().log, items, work }, (news) => follower.amend(news));
    const prompt = await follower.assemble(this.#optionsWith(options));
    const { log } = session.view();
    const made = this.#handed.of(prompt, {
      ...{ items, work },
      isTold: (item) => told.isTold(item, work),
      itemAt: (place) => told.itemAt({ log, items }, place),
    });
    this.#lines.answered();
    this.#prompt = prompt;
    return made;
  }

  /** The branch with what others made of it; where Pi cannot give it, the messages themselves, which they made so. */
  #branchOf(messages: readonly PiMessage[]): Found {
    try {
      const items = this.#items.now();
      return { items, work: this.#others.among(messages, items, this.#items.shownByPi()) };
    } catch (fault) {
      return { items: itemsOfMessages(messages), work: noExtensionChanges, fault };
    }
  }

  #optionsWith(options: AssembleOptions): AssembleOptions {
    return { ...options, systemPrompt: this.#side.systemPrompt() };
  }

  /** What was asked of the session in memory holds for the one in the database, too. */
  async #repeatWishes({ session }: FollowedSession): Promise<void> {
    if (session === this.#lines.durable?.session) await this.#pendingCommands.repeatIn(session);
  }

  async #ask<T>(question: (line: FollowedSession) => Promise<T>): Promise<T> {
    try {
      return await withTimeout(
        this.#inTurn(async () => question(await this.#lines.sessionFor(this.#items.now()))),
        limits.askMs,
      );
    } catch (error) {
      if (isCmError(error) && !error.code.startsWith("store/")) throw error;
      throw unavailable(this.health.reason, error);
    }
  }

  /** What is said of us must not harm what is done. */
  #changed(): void {
    try {
      this.#side.changed();
    } catch {
      // The next change says it again.
    }
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(task);
    const done = () => {
      this.#isStuck = false;
    };
    this.#queue = result.then(done, done);
    return result;
  }
}

function unavailable(reason = "It does not answer.", cause?: unknown) {
  return piError(
    "pi/unavailable",
    `The context manager's database is offline: ${reason} Try again later.`,
    {},
    { cause },
  );
}
