import { CmError, type ErrorData, isCmError, type StoreErrorCode } from "@cm/object-model";
import { isXtdbError, type XtdbClient, type XtdbErrorCode } from "@cm/xtdb-client";
import { storeLimits } from "./limits.ts";

const advice: Readonly<Partial<Record<XtdbErrorCode, string>>> = {
  "xtdb/unreachable": "No XTDB node could be reached; check that it runs, and its URL.",
  "xtdb/deadline": "The XTDB node did not answer in time; look at its load and its log, and try again.",
  "xtdb/unauthorized": "The XTDB node refused the token; pass the right one.",
  "xtdb/forbidden": "The XTDB node does not allow this; it may be read-only.",
  "xtdb/cleartext": "The URL would send everything in clear text to another machine; use https or allow it by option.",
  "xtdb/closed": "The client of this store was closed; open the store again.",
  "xtdb/out-of-sync": "The XTDB node is behind the transaction that was asked for; try again.",
  "xtdb/server": "The XTDB node failed; look at its log and try again.",
  "xtdb/bad-answer": "What answered is no XTDB node, or its answer was cut off; check the URL and try again.",
  "xtdb/refused": "The XTDB node refused the request; check that it is a node of version 1.",
};

/** Turns the client's errors into the contract's; others, such as a fault of the caller's own code, pass as they are. */
export function toStoreError(error: unknown): unknown {
  if (isCmError(error) || !isXtdbError(error)) return error;
  const data = { xtdb: error.code };
  const cause = { cause: error };
  switch (error.code) {
    case "xtdb/unknown-outcome":
      return unknownOutcome(error);
    case "xtdb/too-large":
    case "xtdb/invalid":
      return new CmError(
        "store/limit",
        "The node or its client does not take this much at once; write less.",
        data,
        cause,
      );
    default:
      return new CmError("store/unavailable", advice[error.code] ?? "The XTDB node cannot be used.", data, cause);
  }
}

/** The same, after asking the node whether it still indexes: one that stopped takes writes and waits for ever. */
export async function explained(error: unknown, client: XtdbClient): Promise<unknown> {
  const doubtful = isXtdbError(error, "xtdb/deadline") || isXtdbError(error, "xtdb/server");
  if (!doubtful) return toStoreError(error);
  try {
    const { ingesterFailed } = await client.status({ deadlineMs: storeLimits.statusDeadlineMs });
    if (!ingesterFailed) return toStoreError(error);
  } catch {
    return toStoreError(error);
  }
  return new CmError(
    "store/unavailable",
    "The XTDB node has stopped indexing and must be started again; its log says why.",
    { xtdb: error.code, ingesterFailed: true },
    { cause: error },
  );
}

export function unknownOutcome(cause: unknown): CmError<"store/unknown-outcome"> {
  return new CmError(
    "store/unknown-outcome",
    "The answer to the commit was lost; repeat it with the same request id.",
    {},
    { cause },
  );
}

export function unfinishedErasure(cause: unknown): CmError<"store/unknown-outcome"> {
  return new CmError(
    "store/unknown-outcome",
    "The objects were erased, but that nothing of them is left could not be checked; erase them again.",
    {},
    { cause },
  );
}

export function storeError<Code extends StoreErrorCode>(
  code: Code,
  message: string,
  data: ErrorData = {},
): CmError<Code> {
  return new CmError(code, message, data);
}
