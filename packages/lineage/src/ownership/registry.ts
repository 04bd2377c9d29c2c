import { fault, invalid, notFound, overLimit } from "../errors.ts";
import { lineageLimits } from "../limits.ts";

export interface SteeringMessage {
  /** The same id is delivered once. */
  readonly id: string;
  readonly text: string;
}

/** A run's hands, while it runs in this process. */
export interface LiveRun {
  readonly conversationId: string;
  readonly sessionType: "agent" | "async_subagent";
  /** Asks it to end soon; may be called again. */
  interrupt(): void;
  /** Takes a text into the next turn of the model. Absent until the run can. */
  readonly steer?: (message: SteeringMessage) => void;
}

interface Entry {
  readonly live: LiveRun;
  readonly steered: Set<string>;
  /** It was interrupted before it had hands. */
  isInterrupted: boolean;
}

/** The runs of this process, in memory: what is in it is running. It is empty after a start. */
export class RunRegistry {
  readonly #entries = new Map<string, Entry>();
  readonly #idle: (() => void)[] = [];
  readonly #starting = new Set<string>();
  #isShuttingDown = false;

  get size(): number {
    return this.#entries.size;
  }

  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  /**
   * Creates a run and takes it in: it is running, and takes no text yet. An interrupt waits for its hands.
   * @throws CmError `lineage/shutting-down`, and what `create` throws
   */
  async start<R extends Pick<LiveRun, "conversationId" | "sessionType">>(
    id: string,
    create: () => Promise<R>,
  ): Promise<R> {
    if (this.#isShuttingDown) throw fault("lineage/shutting-down", "The process is ending and takes no new runs.");
    this.#starting.add(id);
    try {
      const created = await create();
      const { conversationId, sessionType } = created;
      const interrupt = () => {
        entry.isInterrupted = true;
      };
      const entry: Entry = {
        live: { conversationId, sessionType, interrupt },
        steered: new Set(),
        isInterrupted: false,
      };
      this.#entries.set(id, entry);
      return created;
    } finally {
      this.#starting.delete(id);
      this.#tellIdle();
    }
  }

  /**
   * Gives a started run its hands.
   * @throws CmError `lineage/not-found` for a run that was not started here, or has ended
   */
  attach(id: string, live: LiveRun): void {
    const known = this.#entries.get(id);
    if (known === undefined) throw notFound("running run", id);
    this.#entries.set(id, { ...known, live });
    if (known.isInterrupted) live.interrupt();
  }

  /** When it has ended, however. */
  remove(id: string): void {
    this.#entries.delete(id);
    this.#tellIdle();
  }

  isRunning(id: string): boolean {
    return this.#entries.has(id);
  }

  /** Whether it runs, or is about to. */
  holds(id: string): boolean {
    return this.isRunning(id) || this.#starting.has(id);
  }

  /** Ids of the runs of a conversation. */
  runningIn(conversationId: string): readonly string[] {
    return [...this.#entries].flatMap(([id, { live }]) => (live.conversationId === conversationId ? [id] : []));
  }

  /** @throws CmError `lineage/not-found` for a run that is not running here */
  interrupt(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw notFound("running run", id);
    entry.live.interrupt();
  }

  /** Interrupts all that run in a conversation. @returns how many there were; none is no error */
  interruptConversation(conversationId: string): number {
    const running = this.runningIn(conversationId);
    for (const id of running) this.interrupt(id);
    return running.length;
  }

  /**
   * Hands a text to the agent run of a conversation.
   * @returns whether it was new; a message is delivered once
   * @throws CmError `lineage/invalid` for an empty text, `lineage/not-found` where nothing runs, `lineage/not-ready`
   */
  steer(conversationId: string, message: SteeringMessage): boolean {
    if (message.text.trim() === "") throw invalid("text", "The text is empty; say something.");
    const bytes = Buffer.byteLength(message.text);
    if (bytes > lineageLimits.steeringBytesMax) throw overLimit("steeringBytesMax", bytes);
    const id = this.runningIn(conversationId).find((one) => this.#entries.get(one)?.live.sessionType === "agent");
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (id === undefined || entry === undefined) throw notFound("running run in the conversation", conversationId);
    const { live, steered } = entry;
    if (live.steer === undefined) {
      throw fault("lineage/not-ready", `The run ${id} takes no text yet; try again in a moment.`, { id });
    }
    if (steered.has(message.id)) return false;
    if (steered.size >= lineageLimits.steeringIdsMax) throw overLimit("steeringIdsMax", steered.size + 1);
    live.steer(message);
    steered.add(message.id);
    return true;
  }

  /** From now on no new runs are taken. */
  beginShutdown(): void {
    this.#isShuttingDown = true;
  }

  /** Takes no new runs, and waits until those that run have ended. A caller that cannot wait interrupts them first. */
  async drain(): Promise<void> {
    this.beginShutdown();
    const idle = new Promise<void>((resolve) => this.#idle.push(resolve));
    this.#tellIdle();
    await idle;
  }

  #tellIdle(): void {
    if (this.#starting.size === 0 && this.#entries.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }
}
