import { Inbox } from "../agent/inbox.ts";
import { EventBuffer } from "../events/event-buffer.ts";

/** A run that this server executes now, or executed a moment ago. */
export class LiveRun {
  readonly runId: string;
  readonly conversationId: string;
  readonly inbox = new Inbox();
  readonly buffer: EventBuffer;
  readonly #abort = new AbortController();
  readonly done: Promise<void>;
  #finish: () => void = () => {};

  constructor(names: { readonly runId: string; readonly conversationId: string }, bufferBytesMax?: number) {
    this.runId = names.runId;
    this.conversationId = names.conversationId;
    this.buffer = new EventBuffer(bufferBytesMax);
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isOver(): boolean {
    return this.buffer.isEnded;
  }

  interrupt(): void {
    this.#abort.abort();
  }

  /** Nothing follows any more: readers end, and who waits goes on. */
  finish(): void {
    this.inbox.close();
    this.buffer.end();
    this.#finish();
  }
}
