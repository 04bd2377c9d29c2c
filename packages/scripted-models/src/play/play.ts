import { checkStrictly } from "../checks/check-strictly.ts";
import type { CapturedRequest, GivenAnswer } from "../wire/captured-request.ts";
import type { WireFormat } from "../wire/formats.ts";
import type { JsonObject } from "../wire/json.ts";
import { PrefixCache } from "../wire/prefix-cache.ts";
import { readRequest } from "../wire/read-request.ts";
import { type Answerer, given, type Script, type ScriptedAnswer } from "../wire/script.ts";
import { UnreadableRequest } from "../wire/sent-prompt.ts";

export interface PlayOptions {
  /** To requests that are not the agent's, such as those for summaries. Default: a short text. */
  readonly apart?: ScriptedAnswer | Answerer;
  /** After the last answer of the script. Default: an error, so that a run that goes on longer is seen. */
  readonly otherwise?: ScriptedAnswer | Answerer;
  /** Requests without it are refused. Default: any are taken. */
  readonly key?: string;
  /** The model that answers are given in the name of. Default: the one that is asked for. */
  readonly answersAs?: string;
  /** For a client of ours: what a provider would refuse is refused, by `checkStrictly`. */
  readonly strict?: true;
  /** A request without an answer of the model begins another conversation: nothing is cached of those before. */
  readonly conversations?: true;
}

/** One script with its own address, requests and cache, such as for one home of a Pi. */
export class Play {
  /** Base URL without `/v1`. */
  readonly url: string;
  /** Requests of the agent, in the order of their arrival. */
  readonly requests: CapturedRequest[] = [];
  /** Requests for summaries of compaction and branches: without tools. */
  readonly apart: CapturedRequest[] = [];
  /** Requests that the script had no answer for. */
  beyond = 0;
  /** Why bodies could not be read, one sentence each. Empty when all is well. */
  readonly unreadable: string[] = [];
  #cache = new PrefixCache();
  #given: GivenAnswer[] = [];
  readonly #options: PlayOptions;
  #script: Script;
  #said = 0;

  constructor(url: string, script: Script, options: PlayOptions) {
    this.url = url;
    this.#script = script;
    this.#options = options;
  }

  /** Another script from here on, such as for a resumed session. Requests, cache and numbers of answers go on. */
  next(script: Script): void {
    this.#script = script;
    this.#said = 0;
  }

  /** The answer to a body, and the captured request. @throws UnreadableRequest */
  async ask(asked: Pick<CapturedRequest, "format" | "path" | "headers" | "body">) {
    const sent = readRequest(asked.format, asked.body);
    if (this.#options.conversations && !sent.messages.some(({ role }) => role === "assistant")) this.#forget();
    const tokens = this.#cache.count(asked.format, sent.pieces);
    const kind = sent.tools.length === 0 ? this.apart : this.requests;
    const request = { ...asked, index: kind.length, atMs: performance.now(), sent, tokens, given: [...this.#given] };
    kind.push(request);
    const [fault] = this.#options.strict ? checkStrictly(request) : [];
    if (fault !== undefined) throw new UnreadableRequest(fault);
    const answer = await this.#answerTo(request, kind === this.apart);
    const as = this.#give(asked.format, answer);
    return { request, answer, given: as };
  }

  /** The name of the model that answers, where one is asked for by another. */
  nameFor(asked: string): string {
    return this.#options.answersAs ?? asked;
  }

  /** Whether these headers may ask. */
  takes(headers: Readonly<Record<string, unknown>>): boolean {
    const { key } = this.#options;
    return key === undefined || headers["x-api-key"] === key || headers.authorization === `Bearer ${key}`;
  }

  #forget(): void {
    this.#cache = new PrefixCache();
    this.#given = [];
  }

  #give(format: WireFormat, answer: ScriptedAnswer): GivenAnswer {
    const as = given(this.#given.length, format, answer);
    this.#given.push(as);
    return as;
  }

  #answerTo(request: CapturedRequest, apart: boolean): ScriptedAnswer | Promise<ScriptedAnswer> {
    if (apart) return said(this.#options.apart ?? { text: "A summary by the scripted model." }, request);
    if (typeof this.#script === "function") return this.#script(request);
    const next = this.#script[this.#said++];
    if (next !== undefined) return said(next, request);
    this.beyond += 1;
    return said(this.#options.otherwise ?? scriptEnded, request);
  }
}

const ended: JsonObject = { error: { type: "invalid_request_error", message: "The script has no answer for this." } };
const scriptEnded: ScriptedAnswer = { error: { status: 400, body: ended } };

const said = (answer: ScriptedAnswer | Answerer, request: CapturedRequest) =>
  typeof answer === "function" ? answer(request) : answer;
