import type { S3Binding } from "@cm/object-model";
import { limits } from "../limits.ts";
import { AnswerError } from "./answer-error.ts";
import type { ClientPool, OpenClient } from "./client-pool.ts";
import { type Failure, failureOf } from "./failure.ts";
import type { Gate } from "./gate.ts";
import { Stop } from "./stop.ts";

/** The bucket that a request is about. */
export type BucketPlace = Pick<S3Binding, "bucket" | "endpoint">;

/** One request at work: what to send it with, and what ends it and its socket. */
export interface Sending extends OpenClient {
  readonly stop: Stop;
}

export interface WireOptions {
  readonly pool: ClientPool;
  readonly gate: Gate;
  readonly random: () => number;
}

/** Sends requests: through the gate, again where that may help, and never longer than the work lasts. */
export class S3Wire {
  readonly #options: WireOptions;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /**
   * `work` sends one request and reads its answer to the end. Afterwards the rest of the request is ended: an unread
   * body would hold its socket, and the process, for half a minute.
   */
  async ask<T>(place: BucketPlace, outer: Stop, work: (sending: Sending) => Promise<T>): Promise<T | Failure> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#options.gate.through(() => this.#once(place, outer, work));
      if (!isFailure(answer) || answer.kind !== "failed" || !answer.again) return answer;
      if (attempt >= limits.attemptsMax || outer.reason !== undefined) return answer;
      await pause(pauseBefore(attempt, this.#options.random()), outer.signal);
    }
  }

  async #once<T>(place: BucketPlace, outer: Stop, work: (sending: Sending) => Promise<T>): Promise<T | Failure> {
    const stop = new Stop().inside(outer);
    if (stop.reason !== undefined) return { kind: "failed", reason: stop.reason, again: false };
    const opening = this.#options.pool.open(place.endpoint);
    if (opening === undefined) return { kind: "failed", reason: "endpoint not configured", again: false };
    try {
      const working = opening.then((open) => work({ ...open, stop }));
      // The search for credentials does not always obey a signal.
      return await Promise.race([working, aborted(stop)]);
    } catch (error) {
      if (stop.reason !== undefined) return { kind: "failed", reason: stop.reason, again: false };
      return error instanceof AnswerError ? error.failure : failureOf(error);
    } finally {
      stop.now("stopped by the caller");
    }
  }
}

export function isFailure(answer: unknown): answer is Failure {
  const kind = typeof answer === "object" && answer !== null && "kind" in answer ? answer.kind : undefined;
  return kind === "not-modified" || kind === "missing" || kind === "failed";
}

function aborted({ signal }: Stop): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
  });
}

/** Doubles from try to try; chance keeps many clients from coming back at the same moment. */
function pauseBefore(attempt: number, chance: number): number {
  const longest = Math.min(limits.pauseMs * 2 ** (attempt - 1), limits.pauseMsMax);
  return longest * (1 - chance / 2);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}
