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

/** The requests from one step to another, both included, of a path that is read from its end. */
export async function* requestsBetween(
  newestFirst: AsyncIterable<PastRequest>,
  { from, to }: { readonly from: StepAddress | undefined; readonly to: StepAddress | undefined },
): AsyncGenerator<PastRequest> {
  let isBegun = to === undefined;
  for await (const request of newestFirst) {
    const { session, n } = request.step;
    if (from !== undefined && session === from.session && n < from.n) return;
    if (!isBegun) isBegun = session === to?.session && n <= to.n;
    if (isBegun) yield request;
    if (from !== undefined && session === from.session && n === from.n) return;
  }
}
