import type { AGUIEvent } from "@ag-ui/core";
import { Inbox, type InboxMessage } from "../agent/inbox.ts";
import { serverError } from "../errors.ts";
import { EventBuffer } from "../events/event-buffer.ts";
import { RunDisplay } from "../events/run-display.ts";

/** Which run it is. */
export interface RunName {
  readonly runId: string;
  readonly conversationId: string;
  readonly sessionType: "agent" | "async_subagent";
}

/** A run that this server executes now, or executed a moment ago. */
export class LiveRun {
  readonly runId: string;
  readonly conversationId: string;
  readonly sessionType: RunName["sessionType"];
  readonly inbox = new Inbox();
  readonly buffer: EventBuffer;
  readonly display = new RunDisplay();
  readonly #abort = new AbortController();
  /** Resolves when its records say how it ended. */
  readonly done: Promise<void>;
  #finish: () => void = () => {};

  constructor(name: RunName, bufferBytesMax?: number) {
    this.runId = name.runId;
    this.conversationId = name.conversationId;
    this.sessionType = name.sessionType;
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

  push(events: readonly AGUIEvent[]): void {
    this.display.add(events);
    this.buffer.push(events);
  }

  interrupt(): void {
    this.#abort.abort();
  }

  /** @returns whether it is new @throws CmError `server/not-running` where no model call will see it, `server/busy` */
  say(message: InboxMessage, when?: "next-call" | "at-end"): boolean {
    const taken = this.inbox.put(message, when);
    if (taken === "closed")
      throw serverError("server/not-running", "The run has ended its last request; begin another run.");
    if (taken === "full")
      throw serverError("server/busy", "The run has as many messages as it takes; wait until it has seen some.");
    return taken === "taken";
  }

  /** Nothing follows any more: readers end, and who waits goes on. */
  finish(): void {
    this.inbox.close();
    this.buffer.end();
    this.#finish();
  }
}
