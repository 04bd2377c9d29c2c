import type { StepAddress } from "@cm/object-model";
import type { PastRequest } from "@cm/session/past";
import { cliError } from "../errors.ts";
import { parseStepAddress, parseStepNumber } from "../objects/step-address.ts";

/**
 * A step on a session's path, named by a number of the session's own steps or by `SESSION@STEP`. @throws CmError
 * `cli/usage`
 */
export function stepOnPath(text: string | undefined, session: string): StepAddress | undefined {
  if (text === undefined) return undefined;
  const n = parseStepNumber(text);
  const address = n === undefined ? parseStepAddress(text) : { session, n };
  if (address !== undefined) return address;
  throw cliError("cli/usage", `${text} is no step; write its number, or SESSION@STEP for one before a fork.`);
}

export interface StepRange {
  readonly from: StepAddress | undefined;
  readonly to: StepAddress | undefined;
}

/**
 * The requests from one step to another, both included, of a path that is read from its end.
 * @throws CmError `cli/not-found` at the path's end, where it has no step of a session that an end of the range names
 */
export async function* requestsBetween(
  newestFirst: AsyncIterable<PastRequest>,
  { from, to }: StepRange,
): AsyncGenerator<PastRequest> {
  let isBegun = to === undefined;
  const met = new Set<string>();
  for await (const request of newestFirst) {
    const { session, n } = request.step;
    met.add(session);
    if (from !== undefined && session === from.session && n < from.n) return;
    if (!isBegun) isBegun = session === to?.session && n <= to.n;
    if (isBegun) yield request;
    if (from !== undefined && session === from.session && n === from.n) return;
  }
  const stranger = [from, to].find((end) => end !== undefined && met.size > 0 && !met.has(end.session));
  if (stranger === undefined) return;
  const { session, n } = stranger;
  throw cliError(
    "cli/not-found",
    `${session}@${n} is no step of this session, nor of one that it was forked from; without --from and --to all are listed.`,
    { session, n },
  );
}
