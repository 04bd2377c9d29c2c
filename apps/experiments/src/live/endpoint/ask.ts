import { defined } from "@cm/object-model";
import { wires } from "@cm/scripted-models";
import { request } from "undici";
import { limits } from "../limits.ts";
import { liveError } from "../live-error.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Attempt, pauseBefore, shortWord } from "./retry.ts";

export interface AskOptions {
  readonly requestMs?: number;
  readonly retriesMax?: number;
  /** Waits before another attempt. Default: a timer. */
  readonly wait?: (ms: number) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

export interface Asked {
  /** The endpoint's answer as JSON, of any shape. */
  readonly json: unknown;
  readonly retries: number;
}

/**
 * One request, repeated where that may help: after 408, 409, 429, 5xx, a lost connection and a cut answer, at most
 * `retriesMax` times, when the endpoint asks for it to be. What takes longer than `requestMs` is not repeated: the
 * endpoint may be at work still. Redirects are not followed, so the key goes nowhere else.
 * @throws CmError `live/unreachable`, `live/timeout`, `live/refused`, `live/failed`, `live/bad-answer`, `live/interrupted`
 */
export async function ask(endpoint: Endpoint, body: string, options: AskOptions = {}): Promise<Asked> {
  const { retriesMax = limits.retriesMax, wait = timer } = options;
  if (Buffer.byteLength(body) > limits.requestBytesMax)
    throw liveError("live/refused", `A request passes requestBytesMax (${limits.requestBytesMax}).`);
  for (let retries = 0; ; retries += 1) {
    const attempt = await post(endpoint, body, options);
    if ("json" in attempt) return { json: attempt.json, retries };
    const pauseMs = attempt.repeatable && retries < retriesMax ? pauseBefore(attempt, retries) : undefined;
    if (pauseMs === undefined) throw failure(attempt, retries);
    await wait(pauseMs);
  }
}

async function post(endpoint: Endpoint, body: string, options: AskOptions): Promise<Attempt> {
  const requestMs = options.requestMs ?? limits.requestMs;
  const deadline = AbortSignal.timeout(requestMs);
  const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
  try {
    const {
      statusCode,
      headers,
      body: stream,
    } = await request(endpoint.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...wires[endpoint.protocol].headers(endpoint.key()) },
      body,
      signal,
      // The deadline covers both; a model may think for long before the first byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const text = await boundedText(stream);
    const status = statusCode;
    if (text === undefined) return { kind: "too-long", repeatable: false };
    if (status < 200 || status > 299) {
      const repeatable = status === 408 || status === 409 || status === 429 || status >= 500;
      return {
        kind: "status",
        status,
        repeatable,
        retryAfter: headers["retry-after"],
        word: shortWord(text, endpoint),
      };
    }
    return parsed(text);
  } catch (cause) {
    if (options.signal?.aborted === true) throw liveError("live/interrupted", "The runs were interrupted.");
    if (deadline.aborted) return { kind: "timeout", requestMs, repeatable: false };
    return { kind: "lost", cause, repeatable: true };
  }
}

function parsed(text: string): Attempt {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return { kind: "no-json", repeatable: true };
  }
}

/** Undefined where there is more than the bound: then the rest is not waited for. */
async function boundedText(stream: AsyncIterable<Buffer>): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > limits.answerBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function failure(attempt: Exclude<Attempt, { json: unknown }>, retries: number) {
  switch (attempt.kind) {
    case "timeout": {
      const { requestMs } = attempt;
      return liveError("live/timeout", `The endpoint gave no whole answer within ${requestMs} ms.`, { requestMs });
    }
    case "lost": {
      const reason = codeOf(attempt.cause);
      return liveError("live/unreachable", `The endpoint cannot be reached (${reason}).`, { reason, retries });
    }
    case "too-long":
      return liveError("live/bad-answer", `The endpoint's answer passes answerBytesMax (${limits.answerBytesMax}).`);
    case "no-json":
      return liveError("live/bad-answer", "The endpoint's answer is no JSON; see CM_LIVE_URL.", { retries });
    case "status": {
      const { status, word } = attempt;
      const said = word === undefined ? `${status}` : `${status}, ${word}`;
      const data = { status, retries, ...defined({ word }) };
      return attempt.repeatable
        ? liveError("live/failed", `The endpoint failed ${retries + 1} times (${said}).`, data)
        : liveError("live/refused", `The endpoint refused the request (${said}); see CM_LIVE_URL, _MODEL, _KEY.`, data);
    }
  }
}

/** The system's word alone: a message may quote what was sent. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "connection lost";
}

const timer = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
