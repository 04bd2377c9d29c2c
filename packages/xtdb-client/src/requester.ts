import { parseAddresses } from "./address.ts";
import { answerValue, type Expectation, type Format, listStart, mediaTypes } from "./answers.ts";
import { Call, type CallOptions, checkDeadline } from "./call.ts";
import type { ListStart } from "./edn/read.ts";
import type { EdnOutput } from "./edn/values.ts";
import { isXtdbError, XtdbError } from "./errors.ts";
import { type Answer, exchange, type Outcome } from "./exchange.ts";
import { clientLimits } from "./limits.ts";
import { Node } from "./node.ts";
import { badAnswer } from "./server-errors.ts";

/** One request, whichever node gets it. */
export interface Request {
  readonly endpoint: string;
  /** Encoded, without a question mark: "eid=a&tx-id=3". */
  readonly parameters?: string;
  /** EDN; makes it a POST. */
  readonly body?: string;
  readonly format: Format;
  readonly mayBeAbsent?: boolean;
  /** A submit is never sent twice, and its lost answer is an unknown outcome. */
  readonly submits?: boolean;
  /** The transaction that the server waits for, by default the one that this request makes, and the name of its timeout parameter. */
  readonly waits?: { readonly timeoutParameter: "timeout" | "await-tx-timeout"; readonly txId?: number };
  readonly pageBytes?: number;
  /** Ask this node and no other. */
  readonly node?: Node;
}

export interface RequesterSettings {
  readonly urls: string | readonly string[];
  readonly token?: string | undefined;
  readonly allowCleartext?: boolean | undefined;
  readonly deadlineMs?: number | undefined;
  readonly answerBytesMax?: number | undefined;
}

/** Sends requests to the first node that can be reached, within one call's time. */
export class Requester {
  readonly nodes: readonly Node[];
  readonly #deadlineMs: number;
  readonly answerBytesMax: number;
  readonly #authorization: Readonly<Record<string, string>>;
  #closed: Promise<void> | undefined;

  constructor(settings: RequesterSettings) {
    this.#deadlineMs = checkDeadline(settings.deadlineMs ?? clientLimits.deadlineMs);
    this.answerBytesMax = checkAnswerBytes(settings.answerBytesMax ?? clientLimits.answerBytesMax);
    this.#authorization = authorization(settings.token);
    this.nodes = parseAddresses(settings.urls, settings.allowCleartext === true).map((address) => new Node(address));
  }

  /** The answer's value; `undefined` for a 404 that means so. */
  async ask(request: Request, options: CallOptions): Promise<EdnOutput | undefined> {
    return await this.within(request.endpoint, options, (call) => this.askWithin(request, call));
  }

  async askWithin(request: Request, call: Call): Promise<EdnOutput | undefined> {
    return (await this.answerWithin(request, call)).value;
  }

  /** With the node that gave it. */
  async answerWithin(
    request: Request,
    call: Call,
  ): Promise<{ readonly value: EdnOutput | undefined; readonly node: Node }> {
    const { answer, node } = await this.#answer(request, call);
    try {
      return { value: answerValue(answer, expectation(request)), node };
    } catch (error) {
      if (isXtdbError(error, "xtdb/bad-answer")) node.reconnect();
      throw request.submits ? submitError(error, request.endpoint, answer.status) : error;
    }
  }

  /** The elements of an EDN list, as many as `pageBytes` hold. */
  async askPage(request: Request, options: CallOptions): Promise<ListStart> {
    return await this.within(request.endpoint, options, async (call) => {
      const { answer, node } = await this.#answer(request, call);
      try {
        return listStart(answer, expectation(request));
      } catch (error) {
        if (isXtdbError(error, "xtdb/bad-answer")) node.reconnect();
        throw error;
      }
    });
  }

  /** Runs several requests as one call, under one deadline. */
  async within<Result>(endpoint: string, options: CallOptions, run: (call: Call) => Promise<Result>): Promise<Result> {
    const call = new Call(options, this.#deadlineMs);
    try {
      call.check(endpoint);
      if (this.#closed !== undefined) throw closed(endpoint);
      return await run(call);
    } finally {
      call.end();
    }
  }

  async close(): Promise<void> {
    this.#closed ??= Promise.all(this.nodes.map((node) => node.close())).then(() => undefined);
    await this.#closed;
  }

  async #answer(request: Request, call: Call): Promise<{ answer: Answer; node: Node }> {
    let retry = request.submits !== true;
    let last: Outcome | undefined;
    for (const node of this.#candidates(request)) {
      for (;;) {
        const outcome = await this.#attempt(request, node, call);
        if (outcome.kind === "answer") {
          node.answered();
          const { waits } = request;
          if (outcome.answer.status === 200 && waits?.txId !== undefined) node.indexed(waits.txId);
          return { answer: outcome.answer, node };
        }
        last = outcome;
        if (outcome.kind !== "broken" || (outcome.sent && request.submits)) {
          throw failure(outcome, request, call, this.#closed !== undefined);
        }
        // Once, for a connection that was closed while it lay idle.
        if (outcome.sent && retry) {
          retry = false;
          continue;
        }
        node.rest(performance.now());
        break;
      }
    }
    throw failure(last, request, call, this.#closed !== undefined);
  }

  async #attempt(request: Request, node: Node, call: Call): Promise<Outcome> {
    const { waits, endpoint } = request;
    const holds = waits !== undefined && !(waits.txId !== undefined && node.hasIndexed(waits.txId));
    if (holds) await node.awaits.enter(call, endpoint);
    try {
      const path = `${node.basePath}/_xtdb/${endpoint}${queryString(request, call)}`;
      const headers: Record<string, string> = { accept: mediaTypes[request.format], ...this.#authorization };
      const base = { path, headers, answerBytesMax: this.answerBytesMax };
      const paged =
        request.pageBytes === undefined ? {} : { pageBytes: Math.min(request.pageBytes, this.answerBytesMax) };
      if (request.body === undefined)
        return await exchange(node.connections, { method: "GET", ...base, ...paged }, call);
      headers["content-type"] = mediaTypes.edn;
      return await exchange(node.connections, { method: "POST", body: request.body, ...base, ...paged }, call);
    } finally {
      if (holds) node.awaits.release();
    }
  }

  /** Those that answer first, those found dead last: when all are, all are tried. */
  #candidates({ node }: Request): readonly Node[] {
    if (node !== undefined) return [node];
    if (this.nodes.length === 1) return this.nodes;
    const now = performance.now();
    return [...this.nodes.filter((one) => !one.isResting(now)), ...this.nodes.filter((one) => one.isResting(now))];
  }
}

export function expectation({ endpoint, format, mayBeAbsent, submits }: Request): Expectation {
  return { endpoint, format, status: submits ? 202 : 200, mayBeAbsent: mayBeAbsent === true };
}

function queryString({ parameters, waits }: Request, call: Call): string {
  const parts = parameters === undefined || parameters === "" ? [] : [parameters];
  if (waits !== undefined) {
    if (waits.timeoutParameter === "await-tx-timeout" && waits.txId !== undefined)
      parts.push(`await-tx-id=${waits.txId}`);
    // A little less than is left, so that the node's own word arrives.
    const remainingMs = call.remainingMs();
    parts.push(`${waits.timeoutParameter}=${Math.max(1, Math.floor(remainingMs - Math.min(remainingMs / 20, 250)))}`);
  }
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

function failure(
  outcome: Outcome | undefined,
  { endpoint, submits }: Request,
  call: Call,
  isClosed: boolean,
): XtdbError {
  if (outcome === undefined || outcome.kind === "answer") return closed(endpoint);
  if (submits && outcome.sent) {
    const stopped = outcome.kind === "stopped" ? call.stopped : outcome.kind;
    return unknownOutcome(endpoint, outcome.kind === "broken" ? outcome.reason : (stopped ?? outcome.kind));
  }
  if (outcome.kind === "stopped") return call.error(endpoint);
  if (outcome.kind === "too-large") return badAnswer(endpoint, "too large", { status: outcome.status });
  if (isClosed) return closed(endpoint);
  const { reason, status } = outcome;
  if (status > 0) return badAnswer(endpoint, "cut off", { status });
  return new XtdbError(
    "xtdb/unreachable",
    `${endpoint}: no node could be reached (${reason}); check that it runs and the URL. Nothing was written.`,
    { endpoint, reason },
  );
}

/** A submit that the node answered, but not with a transaction id. Only a 4xx says that nothing was written. */
function submitError(error: unknown, endpoint: string, status: number): unknown {
  if (!isXtdbError(error) || (status >= 300 && status < 500)) return error;
  return unknownOutcome(endpoint, error.code, { ...error.data, status });
}

export function unknownOutcome(endpoint: string, reason: string, data: XtdbError["data"] = {}): XtdbError {
  const next = data.txId === undefined ? "look whether it is there before repeating it" : "ask isCommitted(data.txId)";
  return new XtdbError(
    "xtdb/unknown-outcome",
    `${endpoint}: whether the transaction was committed is not known (${reason}); ${next}.`,
    { ...data, endpoint, reason },
  );
}

function closed(endpoint: string): XtdbError {
  return new XtdbError("xtdb/closed", `${endpoint}: the client was closed.`, { endpoint });
}

function authorization(token: string | undefined): Readonly<Record<string, string>> {
  if (token === undefined) return {};
  if (typeof token !== "string" || token.length > clientLimits.tokenCharsMax || !/^[\x21-\x7e]+$/.test(token)) {
    throw new XtdbError("xtdb/invalid", "token is visible ASCII without spaces, as it follows the word Bearer.");
  }
  return { authorization: `Bearer ${token}` };
}

function checkAnswerBytes(bytes: number): number {
  if (Number.isInteger(bytes) && bytes >= 1_024 && bytes <= clientLimits.answerBytesMaxMax) return bytes;
  throw new XtdbError("xtdb/invalid", `answerBytesMax is an integer from 1024 to ${clientLimits.answerBytesMaxMax}.`);
}
