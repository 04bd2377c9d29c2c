import { channel } from "node:diagnostics_channel";

/** A transaction as it went over the wire, and how long its commit took. */
export interface CapturedCommit {
  readonly ms: number;
  /** Of the `submit-tx` that took place. Attempts before it that were refused are the store's own. */
  readonly body: string;
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
  let body = "";
  let requests = 0;
  const onRequest = (message: unknown): void => {
    if (!isSent(message)) return;
    requests += 1;
    const { path, body: sentBody } = message.request;
    if (path.startsWith("/_xtdb/submit-tx"))
      body = Buffer.isBuffer(sentBody) ? sentBody.toString("utf8") : String(sentBody);
  };
  const sent = channel("undici:request:create");
  sent.subscribe(onRequest);
  try {
    const started = performance.now();
    await work();
    return { ms: performance.now() - started, body, requests };
  } finally {
    sent.unsubscribe(onRequest);
  }
}
