import type { AGUIEvent } from "@ag-ui/core";
import { limits } from "../limits.ts";

/** An event with its number in its run, from 1: the id by which a reader goes on. */
export interface NumberedEvent {
  readonly id: number;
  readonly event: AGUIEvent;
  /** As JSON, written once for all readers. */
  readonly json: string;
}

/**
 * The events of one run. Readers have a place of their own in it and nothing else: a slow one holds up no other, costs no
 * memory, and is told where events that it had not read are gone. The run never waits for a reader.
 */
export class EventBuffer {
  readonly #bytesMax: number;
  #events: NumberedEvent[] = [];
  #bytes = 0;
  #next = 1;
  #isEnded = false;
  #waiting: (() => void)[] = [];
  #readers = 0;

  constructor(bytesMax: number = limits.eventBufferBytesMax) {
    this.#bytesMax = bytesMax;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get readers(): number {
    return this.#readers;
  }

  get lastId(): number {
    return this.#next - 1;
  }

  push(events: readonly AGUIEvent[]): void {
    if (this.#isEnded || events.length === 0) return;
    for (const event of events) {
      const json = JSON.stringify(event);
      this.#events.push({ id: this.#next, event, json });
      this.#next += 1;
      this.#bytes += json.length;
    }
    let dropped = 0;
    while (this.#bytes > this.#bytesMax && dropped < this.#events.length - 1) {
      this.#bytes -= this.#events[dropped]?.json.length ?? 0;
      dropped += 1;
    }
    if (dropped > 0) this.#events.splice(0, dropped);
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** Whether a reader who has everything up to `id` can go on without a gap. */
  hasAfter(id: number): boolean {
    return id < this.#next && id + 1 >= (this.#events[0]?.id ?? this.#next);
  }

  /** All events that are held: for the display messages of a run. */
  all(): readonly AGUIEvent[] {
    return this.#events.map(({ event }) => event);
  }

  /** What follows an event, until the run ends, the signal fires, or a gap: the reader was too slow. */
  async *after(id: number, signal: AbortSignal): AsyncGenerator<readonly NumberedEvent[], void> {
    this.#readers += 1;
    try {
      let place = id;
      while (!signal.aborted && this.hasAfter(place)) {
        const first = this.#events[0]?.id ?? this.#next;
        const batch = this.#events.slice(place + 1 - first);
        const newest = batch.at(-1);
        if (newest !== undefined) {
          place = newest.id;
          yield batch;
          continue;
        }
        if (this.#isEnded) return;
        await this.#news(signal);
      }
    } finally {
      this.#readers -= 1;
    }
  }

  #news(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener("abort", wake);
        resolve();
      };
      signal.addEventListener("abort", wake, { once: true });
      this.#waiting.push(wake);
    });
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
