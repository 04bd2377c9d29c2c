import type { JsonValue, StepAddress } from "@cm/object-model";
import type { LogState } from "./log-state.ts";
import { type FactsRow, factsRow } from "./request-facts.ts";

/** The session is empty where it is the one of the row before. With the hash of the step before, as in a flat state. */
export type RequestRow = readonly [session: string, n: number, before: string, plainChars: number, facts: FactsRow];

/** What a keyframe says of the requests of its stretch, so that a list need not read their steps. Plain data. */
export interface KeyframeRequests {
  readonly version: 1;
  /** Of the steps since the keyframe before, oldest first; the newest is the keyframe's own. */
  readonly rows: readonly RequestRow[];
}

/**
 * The requests since a step of the path. Undefined where some of them are not remembered: a step between was erased, or
 * there were too many.
 * @param since undefined: since the beginning
 */
export function keyframeRequests(
  { path, requests }: Pick<LogState, "path" | "requests">,
  since: StepAddress | undefined,
): (KeyframeRequests & JsonValue) | undefined {
  const left = requestsSince({ path, requests }, since);
  if (left === undefined || left.length === 0) return undefined;
  const first = path.length - left.length;
  const rows = left.map(({ plainChars, facts }, number): RequestRow & JsonValue => {
    const [address, before] = [path.address(first + number), path.at(first + number - 1)];
    const isSame = number > 0 && before?.address.session === address?.session;
    const session = isSame ? "" : (address?.session ?? "");
    return [session, address?.n ?? 0, before?.contentHash ?? "", plainChars, factsRow(facts)];
  });
  return { version: 1, rows };
}

/** Those of the remembered ones that came after a step; undefined where they do not reach back to it. */
export function requestsSince(
  { path, requests }: Pick<LogState, "path" | "requests">,
  since: StepAddress | undefined,
): LogState["requests"] | undefined {
  for (let count = 0; count <= requests.length; count += 1) {
    const before = path.address(path.length - 1 - count);
    if (before?.session === since?.session && before?.n === since?.n) return requests.slice(requests.length - count);
  }
  return undefined;
}
