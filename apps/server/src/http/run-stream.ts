import type { EventBuffer, NumberedEvent } from "../events/event-buffer.ts";
import { limits } from "../limits.ts";

export const eventStreamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  // A proxy that gathers a stream would hand out its events when the run is over.
  "x-accel-buffering": "no",
} as const;

export interface StreamOptions {
  readonly heartbeatMs?: number | undefined;
  /** Whether the reader gets an event. Default: all of them. */
  readonly isFor?: ((event: NumberedEvent["event"]) => boolean) | undefined;
}

/**
 * A run's events as they come, each with its number, for a reader who has those up to `after`. It is read as fast as the
 * reader takes it and holds nothing of its own; a reader who leaves changes nothing for the run.
 */
export function runStream(
  buffer: EventBuffer,
  after: number,
  { heartbeatMs = limits.heartbeatMs, isFor = () => true }: StreamOptions = {},
): ReadableStream<Uint8Array> {
  const leaving = new AbortController();
  const batches = buffer.after(after, leaving.signal);
  const encoder = new TextEncoder();
  let coming: Promise<IteratorResult<readonly NumberedEvent[], void>> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        coming ??= batches.next();
        const next = await orSilence(coming, heartbeatMs);
        if (next === "silence") return controller.enqueue(encoder.encode(": still running\n\n"));
        coming = undefined;
        if (next.done === true) return controller.close();
        const events = next.value.filter(({ event }) => isFor(event));
        controller.enqueue(encoder.encode(events.map(({ id, json }) => `id: ${id}\ndata: ${json}\n\n`).join("")));
      },
      cancel() {
        leaving.abort();
      },
    },
    { highWaterMark: 0 },
  );
}

async function orSilence<Value>(coming: Promise<Value>, ms: number): Promise<Value | "silence"> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<"silence">((resolve) => {
    timer = setTimeout(() => resolve("silence"), ms);
  });
  try {
    return await Promise.race([coming, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** The number of the last event that a reader has, from `Last-Event-ID`; none is 0. */
export function lastEventId(header: string | undefined): number | undefined {
  if (header === undefined || header === "") return 0;
  return /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
