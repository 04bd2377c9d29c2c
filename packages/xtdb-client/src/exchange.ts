import type { Dispatcher } from "undici";
import type { Call } from "./call.ts";

export interface ExchangeRequest {
  readonly method: "GET" | "POST";
  /** With the base path and the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly answerBytesMax: number;
  /** Stop reading there and hand over what came, instead of failing. */
  readonly pageBytes?: number;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
  /** False where `pageBytes` cut it. */
  readonly whole: boolean;
}

/** The outcome of one request on one connection. */
export type Outcome =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "stopped"; readonly sent: boolean }
  | { readonly kind: "too-large"; readonly status: number; readonly sent: true }
  /** `sent` is false only where nothing of the request can have left. `reason` is a code such as ECONNREFUSED. */
  | { readonly kind: "broken"; readonly sent: boolean; readonly reason: string; readonly status: number };

/** Sends one request and reads its answer to the end, within the call's time and the caps. Never rejects. */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest, call: Call): Promise<Outcome> {
  return new Promise((resolve) => {
    const reading = new Reading(request, call, resolve);
    call.whenStopped(() => reading.stop());
    if (call.stopped !== undefined) return;
    const { method, path, headers, body } = request;
    // Our own deadline covers headers and body; undici's would only add a second, coarser clock.
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
    try {
      dispatcher.dispatch({ method, path, headers, body: body ?? null, ...timeouts }, reading);
    } catch (error) {
      reading.onResponseError(undefined, error);
    }
  });
}

class Reading implements Dispatcher.DispatchHandler {
  readonly #request: ExchangeRequest;
  readonly #call: Call;
  readonly #resolve: (outcome: Outcome) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #done = false;
  #sent = false;
  #status = 0;
  #contentType = "";
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(request: ExchangeRequest, call: Call, resolve: (outcome: Outcome) => void) {
    this.#request = request;
    this.#call = call;
    this.#resolve = resolve;
  }

  stop(): void {
    this.#finish({ kind: "stopped", sent: this.#sent });
    this.#controller?.abort(new Error("stopped"));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up while it queued for a connection: thrown here, undici drops it and keeps the connection.
    if (this.#done) throw new Error("stopped");
    this.#controller = controller;
    this.#sent = true;
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    this.#status = status;
    this.#contentType = String(headers["content-type"] ?? "");
    if (Number(headers["content-length"]) > this.#cap && this.#request.pageBytes === undefined) this.#tooLarge();
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#done) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#cap) return;
    if (this.#request.pageBytes !== undefined && this.#status === 200) {
      this.#answer(false);
      this.#controller?.abort(new Error("page is full"));
    } else this.#tooLarge();
  }

  onResponseEnd(): void {
    this.#answer(true);
  }

  onResponseError(_: unknown, error: unknown): void {
    this.#finish({ kind: "broken", sent: this.#sent, reason: reasonOf(error), status: this.#status });
  }

  get #cap(): number {
    return this.#request.pageBytes ?? this.#request.answerBytesMax;
  }

  #tooLarge(): void {
    this.#finish({ kind: "too-large", status: this.#status, sent: true });
    this.#controller?.abort(new Error("answer too large"));
  }

  #answer(whole: boolean): void {
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.#bytes);
    this.#finish({ kind: "answer", answer: { status: this.#status, contentType: this.#contentType, body, whole } });
  }

  #finish(outcome: Outcome): void {
    if (this.#done) return;
    this.#done = true;
    this.#chunks = [];
    this.#call.whenStopped(undefined);
    this.#resolve(outcome);
  }
}

/** A code such as ECONNRESET. Messages of sockets and TLS may hold names and addresses, so they are left out. */
function reasonOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown";
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code) ? code : "unknown";
}
