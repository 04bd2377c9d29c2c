import type { PromptDecision, Usage } from "@cm/context-log";
import { foldOf } from "@cm/context-log/state";
import type { DocumentOf, StepAddress } from "@cm/object-model";
import type { PathStep } from "./read-path.ts";
import type { RequestBill } from "./rebuild.ts";

/** A request of a session's path: what its step says of it, without a text. Plain data, frozen. */
export type PastRequest = RequestSummary | ErasedRequest;

/** A request whose step was erased as a whole: nothing else is known of it. */
export interface ErasedRequest {
  /** Its place on the path, from 0. */
  readonly n: number;
  readonly step: StepAddress;
  readonly erased: "step";
}

/** Sizes are UTF-16 units of the messages, without system prompt and tool declarations; times milliseconds since the epoch. */
export interface RequestSummary {
  /** Its place on the path, from 0: the number of its step, where the session neither is a fork nor went back. */
  readonly n: number;
  readonly step: StepAddress;
  /** `texts`: something that was typed or answered in it was erased since. */
  readonly erased?: "texts";
  /** From 0. */
  readonly turn: number;
  /** When it was made; where no step says so, when it was recorded. */
  readonly atMs: number;
  readonly recordedAtMs: number;
  /** Who answered; undefined where the harness did not say. */
  readonly model: string | undefined;
  readonly layout: string;
  readonly chars: number;
  /** How much stood at its start in the request before, and how much of that the provider's cache could serve. */
  readonly keptChars: number;
  readonly servedChars: number;
  /** `cold`: the cache had nothing of it, as the session was told. */
  readonly cache: "warm" | "cold";
  /** What the agent alone would have sent. Text that was erased since may count nothing. */
  readonly plainChars: number;
  /** Billed input at the reader's prices, in characters: of this request, and of the plain one. */
  readonly billed: number;
  readonly plainBilled: number;
  /** As the provider counted; undefined where nobody said. */
  readonly usage: Usage | undefined;
  /** Undefined where no text was folded or cut with it. */
  readonly fold: RequestFold | undefined;
  /** The policy's reasons by their names, each with the number of parts or objects that it holds for. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Objects that were brought back with it, and pins that the window took. */
  readonly recalls: readonly string[];
  readonly releases: readonly string[];
  /** Messages that left the prompt as a whole with it. */
  readonly omitted: number;
  /** Calls of its answer. */
  readonly calls: number;
  /** Messages that others changed before it, and secrets taken out of its texts. */
  readonly amended: number;
  readonly redactions: number;
  /** It is the first one after the session was resumed, and something had changed. */
  readonly resumed: boolean;
}

export interface RequestFold {
  /** From which entry of the log on sent text was rewritten, and why, as the policy called it; undefined where only new text was cut. */
  readonly cut: number | undefined;
  readonly cause: string | undefined;
  /** Texts that no longer stand in full. */
  readonly parts: number;
}

/** @param bill undefined for an erased step */
export function requestSummary(
  { address, document }: Pick<PathStep, "address" | "document">,
  n: number,
  bill: RequestBill | undefined,
): PastRequest {
  const step = Object.freeze({ session: address.session, n: address.n });
  if (document === undefined || bill === undefined) return Object.freeze({ n, step, erased: "step" });
  const decision = document.decision as PromptDecision;
  const { recall = [], release = [], omit = [] } = decision;
  return Object.freeze({
    n,
    step,
    ...(document.replaces === undefined ? {} : { erased: "texts" as const }),
    turn: document.turn,
    atMs: document.requested_at ?? document.recorded_at,
    recordedAtMs: document.recorded_at,
    ...answerOf(document),
    layout: document.layout,
    chars: document.prompt_chars,
    keptChars: document.kept_chars,
    servedChars: document.served_chars ?? document.kept_chars,
    cache: document.cache ?? "warm",
    ...bill,
    usage: usageOf(document),
    fold: requestFold(document, n),
    reasons: countsOf(decision.reasons),
    recalls: Object.freeze(recall.map((one: (typeof recall)[number] | string) => objectIn(one))),
    releases: Object.freeze([...release]),
    omitted: omit.reduce((sum, [from, to]) => sum + to - from, 0),
    amended: document.amended?.length ?? 0,
    redactions: document.redactions ?? 0,
    resumed: document.resumed !== undefined,
  });
}

/** Layouts before `log/3` named the object alone. */
const objectIn = (recall: { readonly object: string } | string): string =>
  typeof recall === "string" ? recall : recall.object;

function answerOf({ messages }: DocumentOf<"step">) {
  const answer = messages.findLast((message) => message.role === "assistant");
  return { model: answer?.model, calls: answer?.calls?.length ?? 0 };
}

function usageOf({ usage }: DocumentOf<"step">): Usage | undefined {
  if (usage === undefined) return undefined;
  const { input, output, cache_read: cacheRead, cache_write: cacheWrite } = usage;
  return Object.freeze({ input, output, cacheRead, cacheWrite });
}

function requestFold(document: DocumentOf<"step">, n: number): RequestFold | undefined {
  const decision = document.decision as PromptDecision;
  const fold = foldOf(decision, document, n);
  if (fold === undefined) return undefined;
  const parts = Object.keys(fold.forms).length;
  return Object.freeze({ cut: decision.fold?.cut, cause: fold.cause, parts });
}

function countsOf(reasons: PromptDecision["reasons"] = {}): Readonly<Record<string, number>> {
  return Object.freeze(Object.fromEntries(Object.entries(reasons).map(([reason, parts]) => [reason, parts.length])));
}
