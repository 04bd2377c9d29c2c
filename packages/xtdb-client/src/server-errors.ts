import { EdnSyntaxError } from "./edn/read.ts";
import { type EdnOutput, Keyword } from "./edn/values.ts";
import { XtdbError, type XtdbErrorCode, type XtdbErrorData } from "./errors.ts";
import type { Answer } from "./exchange.ts";
import { clientLimits } from "./limits.ts";

/** An answer that is none. `reason` is a phrase of ours. */
export function badAnswer(endpoint: string, reason: string, data: XtdbErrorData = {}, fault?: unknown): XtdbError {
  const at = fault instanceof EdnSyntaxError ? { at: fault.at } : {};
  return new XtdbError(
    "xtdb/bad-answer",
    `${endpoint}: the answer is not usable (${reason}); is there an XTDB 1 node at this URL, and what does its log say?`,
    { endpoint, reason, ...data, ...at },
  );
}

type Body = Readonly<Record<string, EdnOutput>>;

/** The meaning of a 4xx or 5xx. Upstream writes its error data in two spellings; its messages are not repeated. */
export function serverError({ status }: Answer, endpoint: string, body: Body): XtdbError {
  const errorType = nameIn(body, "errorType", "xtdb.error/error-type");
  const errorKey = nameIn(body, "errorKey", "xtdb.error/error-key");
  const serverClass = nameIn(body, "class");
  const data = {
    endpoint,
    status,
    ...(errorType === undefined ? {} : { errorType }),
    ...(errorKey === undefined ? {} : { errorKey }),
    ...(serverClass === undefined ? {} : { serverClass }),
  };
  const [code, advice] = meaning(status, errorType, serverClass);
  const named = errorKey ?? serverClass ?? errorType;
  return new XtdbError(code, `${endpoint}: ${status}${named === undefined ? "" : ` ${named}`}; ${advice}.`, data);
}

function meaning(status: number, errorType = "", serverClass = ""): readonly [XtdbErrorCode, string] {
  if (errorType === "node-out-of-sync") {
    return ["xtdb/out-of-sync", "the node has not indexed that transaction; wait for it with awaitTx"];
  }
  if (/(?:^|\.)TimeoutException$/.test(serverClass)) {
    return ["xtdb/deadline", "the node waited in vain; ask again or with a longer deadlineMs"];
  }
  switch (status) {
    case 401:
      return ["xtdb/unauthorized", "give connectXtdb the node's token"];
    case 403:
      return ["xtdb/forbidden", "the node is read-only or does not allow this"];
    case 404:
    case 405:
      return ["xtdb/bad-answer", "is there an XTDB 1 node at this URL"];
    case 413:
      return ["xtdb/too-large", "send it in parts"];
    case 414:
      return ["xtdb/too-large", "use pull or histories for ids of this length"];
  }
  return status < 500
    ? ["xtdb/refused", "the request is wrong as it stands; change it before asking again"]
    : ["xtdb/server", "look into the node's log"];
}

/** A class or key. It comes from outside, so only what looks like a name passes. */
function nameIn(body: Body, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(body, key) ? body[key] : undefined;
    const name = value instanceof Keyword ? value.name : value;
    if (typeof name !== "string" || name.length > clientLimits.shownNameCharsMax) continue;
    if (/^[A-Za-z][\w.$/-]*$/.test(name)) return name;
  }
  return undefined;
}
