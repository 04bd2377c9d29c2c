import { CmError, type ErrorData } from "@cm/object-model";

/** What this package throws. A refusal of a policy is a verdict, and no error. */
export type GovernanceErrorCode =
  | "governance/invalid-bundle" // a policy bundle is not what its schema says; data: fields
  | "governance/invalid-move" // a state machine has no such move; data: from, to
  | "governance/invalid-chain" // an id of the chain is missing, or no id
  | "governance/invalid-event" // an event's type or payload is not what its schema says; data: fields
  | "governance/invalid-flags" // feature flags that are not names with on or off; data: fields
  | "governance/limit"; // a documented bound was passed; data: limit, actual, bound

export const failure = (
  code: GovernanceErrorCode,
  message: string,
  data: ErrorData = {},
): CmError<GovernanceErrorCode> => new CmError(code, message, data);

/** Names of the fields that a schema's issues are about, never a value. */
export function fieldsOf(
  issues: readonly { readonly code?: string; readonly path: readonly PropertyKey[] }[],
): readonly string[] {
  const names = issues.map(({ code, path }) => {
    const place = path.map(String).slice(0, 4).join(".");
    return code === "unrecognized_keys" ? `${place}(unknown field)` : place || "(all)";
  });
  return [...new Set(names)];
}
