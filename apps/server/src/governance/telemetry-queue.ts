import type { TelemetryEvent } from "@cm/governance";
import { limits } from "../limits.ts";

/** What it gives, a promise say, is waited for before the next event. */
export type Telemetry = (event: TelemetryEvent) => unknown;

export interface TelemetryQueueOptions {
  readonly telemetry: Telemetry;
  readonly fault: (what: string, error: unknown) => void;
}

/** Events on their way to telemetry, one after the other. A step never waits for its receiver. */
export class TelemetryQueue {
  readonly #options: TelemetryQueueOptions;
  #waiting: (() => TelemetryEvent)[] = [];
  #lost = 0;
  #telling: Promise<void> | undefined;

  constructor(options: TelemetryQueueOptions) {
    this.#options = options;
  }

  /** @param view makes the event when its turn has come */
  push(view: () => TelemetryEvent): void {
    if (this.#waiting.length >= limits.telemetryWaitingMax) this.#lost += 1;
    else this.#waiting.push(view);
    this.#telling ??= this.#tell();
  }

  /** All that waits was told. */
  async told(): Promise<void> {
    await this.#telling;
  }

  async #tell(): Promise<void> {
    const { telemetry, fault } = this.#options;
    while (this.#waiting.length > 0) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      const batch = this.#waiting;
      this.#waiting = [];
      for (const view of batch) {
        try {
          await telemetry(view());
        } catch (error) {
          fault("Telemetry did not take an event.", error);
        }
      }
      if (this.#lost > 0) fault(`Telemetry was too slow: ${this.#lost} events were given up.`, undefined);
      this.#lost = 0;
    }
    this.#telling = undefined;
  }
}
