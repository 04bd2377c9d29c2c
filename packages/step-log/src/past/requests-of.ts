import { billedInput, defaultPrices, type Prices } from "@cm/context-log";
import type { ObjectStore, StepAddress } from "@cm/object-model";
import { isStepNumber } from "../check-input.ts";
import { stepLogError } from "../errors.ts";
import { readNamedHeads, readNamedStep } from "../path/read-named.ts";
import { type CountedRequest, plainLogBack } from "./plain-log.ts";
import type { RequestBill } from "./rebuild.ts";
import { type PastRequest, requestSummary } from "./request-summary.ts";

export interface RequestsOptions {
  /** Places on the path, from 0: the first one, and the one before which it ends. Default: all. */
  readonly from?: number;
  readonly to?: number;
  /** `newest`: the last one first, and read as far as the caller asks. Default: `oldest`. */
  readonly order?: "oldest" | "newest";
  /** What the bills are at. Default: `defaultPrices`. */
  readonly prices?: Pick<Prices, "read" | "write">;
}

/**
 * The requests of a session's path, without their texts: no text of a file is read, and no prompt rendered. Those before a
 * fork are among them.
 * @param of a session, or a step: then those that lead to it
 * @throws CmError `session/not-found`, `session/invalid-input`, `session/damaged`, or what the store throws
 */
export async function* requestsOf(
  store: ObjectStore,
  of: string | StepAddress,
  options: RequestsOptions = {},
): AsyncGenerator<PastRequest> {
  checkRange(options);
  const head = await headOf(store, of);
  if (head === null) return;
  if (options.order === "newest") {
    yield* newestFirst(store, head, options);
    return;
  }
  const requests: PastRequest[] = [];
  for await (const request of newestFirst(store, head, options)) requests.push(request);
  yield* requests.reverse();
}

export function checkRange({ from = 0, to = 0 }: Pick<RequestsOptions, "from" | "to">): void {
  for (const place of [from, to]) {
    if (isStepNumber(place)) continue;
    throw stepLogError("session/invalid-input", "A place on a session's path is a whole number, counted from 0.");
  }
}

async function headOf(store: ObjectStore, of: string | StepAddress): Promise<StepAddress | null> {
  if (typeof of === "string") return (await readNamedHeads(store, of)).session.head;
  await readNamedStep(store, of);
  return { session: of.session, n: of.n };
}

/** What the cache served of the plain log follows from the request before, so a request waits until that one is known. */
async function* newestFirst(
  store: ObjectStore,
  head: StepAddress,
  { from = 0, to = Number.POSITIVE_INFINITY, prices = defaultPrices }: RequestsOptions,
): AsyncGenerator<PastRequest> {
  const summary = (request: CountedRequest, before: number | undefined): PastRequest =>
    requestSummary(request, request.n, billOf(request, before, prices));
  let waiting: CountedRequest[] = [];
  for await (const counted of plainLogBack(store, head)) {
    if (counted.n >= to) continue;
    if (counted.plainChars !== undefined) {
      for (const one of waiting) yield summary(one, counted.plainChars);
      waiting = [];
    }
    if (counted.n >= from) waiting.push(counted);
    else if (waiting.length === 0) return;
  }
  for (const one of waiting) yield summary(one, undefined);
}

/** As `ledger.ts` counts, of one request. @param before the plain log's length at the request before; undefined for none */
function billOf(
  { facts, plainChars }: CountedRequest,
  before: number | undefined,
  prices: Pick<Prices, "read" | "write">,
): RequestBill | undefined {
  if (facts === undefined || plainChars === undefined) return undefined;
  const isCold = before === undefined || facts.cache === "cold";
  return {
    plainChars,
    billed: billedInput(prices, { total: facts.chars, cached: isCold ? 0 : facts.servedChars }),
    plainBilled: billedInput(prices, { total: plainChars, cached: isCold ? 0 : before }),
  };
}
