import {
  type AssembleOptions,
  type CommandOutcome,
  isCmError,
  type ListQuery,
  type ObjectList,
  type RenderedPrompt,
  type SetCommand,
} from "@cm/object-model";
import type { OpenedSession } from "@cm/session";
import type { Redactor } from "@cm/sources-fs";
import type { BranchItem } from "../branch/branch-item.ts";
import { GrowingItems, itemsOfMessages } from "../branch/items-of.ts";
import { piError } from "../errors.ts";
import { limits } from "../limits.ts";
import { appendLink } from "../link/append-link.ts";
import { GivenCopies } from "../messages/given-copies.ts";
import { outgoing } from "../messages/outgoing.ts";
import { Pictures } from "../messages/pictures.ts";
import { Secrets } from "../messages/secrets.ts";
import type { PiMessage } from "../pi/pi-types.ts";
import { LastGood } from "../prompt/last-good.ts";
import { othersMessages } from "../prompt/others-messages.ts";
import { figuresOf } from "./figures-of.ts";
import type { Health } from "./health.ts";
import { historyOf } from "./history-of.ts";
import type { Line } from "./line.ts";
import { Lines, type LinesOptions } from "./lines.ts";
import type { Figures, HistoryRow, Managed, ShownObject } from "./managed.ts";
import type { PiSide } from "./pi-side.ts";
import { Wishes } from "./wishes.ts";
import { within } from "./within.ts";

export interface ManagedSessionOptions extends Omit<LinesOptions, "onRetry"> {
  readonly side: PiSide;
  readonly redact: Redactor;
  readonly storePlace: string;
}

/** What Pi asks for with one request. */
interface Asked {
  readonly items: readonly BranchItem[];
  readonly messages: readonly PiMessage[];
  readonly options: AssembleOptions;
}

/** One session of Pi under management, from its start to its end. Nothing that it is asked for waits without bound. */
export class ManagedSession implements Managed {
  readonly storePlace: string;
  readonly #side: PiSide;
  readonly #lines: Lines;
  readonly #pictures = new Pictures();
  readonly #secrets: Secrets;
  readonly #lastGood = new LastGood();
  #queue: Promise<unknown> = Promise.resolve();
  /** A request was late, and what it waited for is not over yet. */
  #isStuck = false;
  #branch: { readonly leaf: string | null; readonly items: readonly BranchItem[] } | undefined;
  readonly #growing = new GrowingItems();
  readonly #wishes = new Wishes();
  #figures: Figures | undefined;
  #prompt: RenderedPrompt | undefined;
  #linkedStep: number | undefined;

  constructor(options: ManagedSessionOptions) {
    this.#side = options.side;
    this.storePlace = options.storePlace;
    this.#secrets = new Secrets(options.redact);
    this.#lines = new Lines({ ...options, onRetry: () => void this.catchUp() });
    this.#lines.begin(this.#itemsOr([]));
  }

  get health(): Health {
    return this.#lines.health(this.#itemsOr([]));
  }

  get figures(): Figures | undefined {
    return this.#figures;
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

  /** The messages of the next request, for Pi's `context` event. Never throws, never gives the raw history. */
  async messagesFor(messages: readonly PiMessage[], options: AssembleOptions): Promise<PiMessage[]> {
    try {
      const items = this.#items();
      const made = await within(
        this.#inTurn(() => this.#lines.on(items, (line) => this.#request(line, { items, messages, options }))),
        this.#isStuck ? limits.awayMs : limits.openMs + limits.promptMs,
      );
      return [...made, ...othersMessages(messages, items)];
    } catch (error) {
      this.#prompt = undefined;
      // Another request would only wait for the same.
      if (isCmError(error, "pi/unavailable")) this.#isStuck = true;
      this.#lines.failed(error);
      return this.#lastGood.promptFor(this.#itemsOr(messages));
    } finally {
      this.#changed();
    }
  }

  /** Writes the steps that are over. Never throws: what fails is tried again. */
  async catchUp(): Promise<void> {
    try {
      await this.#inTurn(async () => {
        const items = this.#items();
        await this.#lines.leaveGone();
        await this.#lines.on(items, async (line) => {
          await line.follower.follow(items, { isOver: false });
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

  /** The turn is over: the branch is told how far the session is. Waits a little, for a process that ends then. */
  async settle(waitMs: number = limits.settleMs): Promise<void> {
    await within(this.catchUp(), waitMs).catch(() => undefined);
    const line = this.#lines.durable;
    if (line?.follower.lastStep === undefined || line.follower.lastStep === this.#linkedStep) return;
    // It is still of the branch that people left.
    if (!line.follower.goesOn(this.#itemsOr([]))) return;
    try {
      appendLink(this.#side, line);
      this.#linkedStep = line.follower.lastStep;
    } catch {
      // The next turn appends it; until then an older link leads to the same session.
    }
  }

  command(command: SetCommand): Promise<CommandOutcome> {
    return this.#ask(async (line) => {
      const outcome = await line.session.command(command);
      if (line !== this.#lines.durable) await this.#wishes.keep(command, outcome, line.session);
      return outcome;
    });
  }

  list(query: ListQuery): Promise<ObjectList> {
    return this.#ask(({ session }) => session.list(query));
  }

  async show(idOrAlias: string): Promise<ShownObject | undefined> {
    const objects = await this.#ask(({ session }) => session.objects());
    return objects.find(({ id, alias }) => id === idOrAlias || alias === idOrAlias);
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
    // Nothing writes after it: on a busy machine a moment more is better than a session that is behind until it is resumed.
    await this.settle(limits.closeMs);
    await this.#lines.close();
  }

  async #request(line: Line, { items, messages, options }: Asked): Promise<PiMessage[]> {
    await line.follower.follow(items, { isOver: true });
    await this.#repeatWishes(line);
    const prompt = await line.follower.assemble({ ...options, systemPrompt: this.#side.systemPrompt() });
    this.#pictures.learn(items);
    const context = { items, pictures: this.#pictures, secrets: this.#secrets };
    const made = outgoing(prompt, { ...context, given: new GivenCopies(items, messages) });
    this.#lines.answered();
    this.#lastGood.keep(() => outgoing(prompt, context), items);
    this.#prompt = prompt;
    this.#figures = figuresOf(line, prompt);
    return made;
  }

  /** What was asked of the session in memory holds for the one in the database, too. */
  async #repeatWishes({ session }: Line): Promise<void> {
    if (session === this.#lines.durable?.session) await this.#wishes.repeatIn(session);
  }

  async #ask<T>(question: (line: Line) => Promise<T>): Promise<T> {
    try {
      return await within(
        this.#inTurn(async () => question(await this.#lines.lineFor(this.#items()))),
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

  /** The branch, or where Pi cannot give it the messages that it gave. */
  #itemsOr(messages: readonly PiMessage[]): readonly BranchItem[] {
    try {
      return this.#items();
    } catch {
      return itemsOfMessages(messages);
    }
  }

  #items(): readonly BranchItem[] {
    const leaf = this.#side.leaf();
    if (this.#branch?.leaf !== leaf) this.#branch = { leaf, items: this.#growing.of(this.#side.branch()) };
    return this.#branch.items;
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
  return piError("pi/unavailable", `The context manager's database is away: ${reason} Try again later.`, {}, { cause });
}
