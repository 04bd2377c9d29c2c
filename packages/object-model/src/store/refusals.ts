import { CmError, type ErrorData, type StoreErrorCode } from "../errors.ts";
import { limits, messageLimits } from "../limits.ts";

// What every store says in the same words, so that a message reads the same from every store.

export const closed = (): CmError<"store/closed"> => refusal("store/closed", "The store is closed; open it again.");

export const unknownBasis = (): CmError<"store/unknown-basis"> =>
  refusal("store/unknown-basis", "The basis is not of this store; use one from its own receipts.");

export const requestReused = (): CmError<"store/request-reused"> =>
  refusal("store/request-reused", "The request id was used for another commit; take a fresh one.");

export function conflict(
  conflicts: readonly { readonly id: string; readonly actual: string }[],
  writes: number,
): CmError<"store/conflict"> {
  return refusal(
    "store/conflict",
    `Expectations failed for ${conflicts.length} of ${writes} writes; read again and retry.`,
    { ids: conflicts.map(({ id }) => id), actual: conflicts.map(({ actual }) => actual) },
  );
}

export const envelopeChanged = (types: {
  readonly stored: string;
  readonly written: string;
}): CmError<"store/envelope-changed"> =>
  refusal("store/envelope-changed", "An object with this id has another type; its envelope never changes.", types);

export function overLimit(limit: keyof typeof limits, actual: number): CmError<"store/limit"> {
  const bound = limits[limit];
  return refusal("store/limit", `The request passes ${limit}: ${actual} where ${bound} is allowed.`, {
    limit,
    actual,
    bound,
  });
}

/** @param what the part of the object that cannot be read */
export function corruptObject(id: string, what: string): CmError<"store/corrupt"> {
  const shown = shownId(id);
  return refusal("store/corrupt", `The ${what} of ${shown} is damaged; restore it from a copy.`, { id: shown });
}

/** An id may be anything: bounded and on one line. */
function shownId(id: string): string {
  const line = JSON.stringify(id).slice(1, -1);
  return line.length > messageLimits.shownIdCharsMax ? `${line.slice(0, messageLimits.shownIdCharsMax - 1)}…` : line;
}

function refusal<Code extends StoreErrorCode>(code: Code, message: string, data?: ErrorData): CmError<Code> {
  return new CmError(code, message, data);
}
