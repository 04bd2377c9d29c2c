import { channel } from "node:diagnostics_channel";

/** A transaction as it went over the wire, and how long its commit took. */
export interface CapturedCommit {
  readonly ms: number;
  /** The bodies of its `submit-tx` requests: one where no expectation failed. */
  readonly bodies: readonly string[];
  /** All requests, reads included. */
  readonly requests: number;
}

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const isSent = (message: unknown): message is { readonly request: SentRequest } =>
  typeof message === "object" && message !== null && "request" in message;

/** Listens to what undici sends while the work is under way. One such work at a time. */
export async function capture(work: () => Promise<unknown>): Promise<CapturedCommit> {
  const bodies: string[] = [];
  let requests = 0;
  const onRequest = (message: unknown): void => {
    if (!isSent(message)) return;
    requests += 1;
    const { path, body } = message.request;
    if (path.startsWith("/_xtdb/submit-tx")) bodies.push(Buffer.isBuffer(body) ? body.toString("utf8") : String(body));
  };
  const sent = channel("undici:request:create");
  sent.subscribe(onRequest);
  try {
    const started = performance.now();
    await work();
    return { ms: performance.now() - started, bodies, requests };
  } finally {
    sent.unsubscribe(onRequest);
  }
}
