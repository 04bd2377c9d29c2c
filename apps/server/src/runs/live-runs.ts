import { limits } from "../limits.ts";
import { LiveRun, type RunName } from "./live-run.ts";

/** The runs of this server: those that go on, and the events of those that have just ended. */
export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>();
  readonly #bufferMs: number;
  readonly #bufferBytesMax: number;

  constructor(options: { readonly bufferMs?: number | undefined; readonly bufferBytesMax?: number | undefined } = {}) {
    this.#bufferMs = options.bufferMs ?? limits.eventBufferMs;
    this.#bufferBytesMax = options.bufferBytesMax ?? limits.eventBufferBytesMax;
  }

  get(runId: string): LiveRun | undefined {
    return this.#runs.get(runId);
  }

  /** Those that go on. */
  running(conversationId?: string): readonly LiveRun[] {
    return [...this.#runs.values()].filter(
      (run) => !run.isOver && (conversationId === undefined || run.conversationId === conversationId),
    );
  }

  /** The agent's run of a conversation that goes on, or else the newest that is held. */
  newestOf(conversationId: string): LiveRun | undefined {
    const runs = [...this.#runs.values()].filter(
      (run) => run.conversationId === conversationId && run.sessionType === "agent",
    );
    return runs.findLast(({ isOver }) => !isOver) ?? runs.at(-1);
  }

  get readers(): number {
    return [...this.#runs.values()].reduce((sum, { buffer }) => sum + buffer.readers, 0);
  }

  begin(name: RunName): LiveRun {
    const live = new LiveRun(name, this.#bufferBytesMax);
    this.#runs.set(live.runId, live);
    return live;
  }

  /** Its events are held a while, for those who come late or come back. */
  end(live: LiveRun): void {
    live.finish();
    setTimeout(() => this.#runs.delete(live.runId), this.#bufferMs).unref();
  }
}
