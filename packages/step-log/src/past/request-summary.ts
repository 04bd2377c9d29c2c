import { type RequestFacts, requestFacts } from "@cm/context-log/state";
import type { StepAddress } from "@cm/object-model";
import type { PathStep } from "../path/read-path.ts";
import type { RequestBill } from "./rebuild.ts";

export type { RequestFold } from "@cm/context-log/state";

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
export interface RequestSummary extends RequestFacts {
  /** Its place on the path, from 0: the number of its step, where the session neither is a fork nor went back. */
  readonly n: number;
  readonly step: StepAddress;
  /** `texts`: something that was typed or answered in it was erased since. */
  readonly erased?: "texts";
  /** What the agent alone would have sent. Text that was erased since may count nothing. */
  readonly plainChars: number;
  /** Billed input at the reader's prices, in characters: of this request, and of the plain one. */
  readonly billed: number;
  readonly plainBilled: number;
}

/** The facts of a past request that need no bill: from its step, or from a keyframe after it. */
export interface KnownRequest {
  readonly address: StepAddress;
  /** Undefined for an erased step. */
  readonly facts: RequestFacts | undefined;
  /** Texts of the step were erased. */
  readonly isReplaced: boolean;
}

export const requestOf = ({ address, document }: Pick<PathStep, "address" | "document">): KnownRequest => ({
  address,
  facts: document && requestFacts(document),
  isReplaced: document?.replaces !== undefined,
});

/** @param bill undefined for an erased step */
export function requestSummary(
  { address, facts, isReplaced }: KnownRequest,
  n: number,
  bill: RequestBill | undefined,
): PastRequest {
  const step = Object.freeze({ session: address.session, n: address.n });
  if (facts === undefined || bill === undefined) return Object.freeze({ n, step, erased: "step" });
  return Object.freeze({ n, step, ...(isReplaced ? { erased: "texts" as const } : {}), ...facts, ...bill });
}
