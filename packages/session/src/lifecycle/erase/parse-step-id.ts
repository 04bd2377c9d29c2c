import { isSessionId, type StepAddress, stepId } from "@cm/object-model";

/** The address that a step's id says; undefined for every other id. */
export function parseStepId(id: string): StepAddress | undefined {
  const at = id.lastIndexOf(":");
  const session = id.startsWith("step:") ? id.slice("step:".length, at) : "";
  const n = Number(id.slice(at + 1));
  return isSessionId(session) && Number.isSafeInteger(n) && n >= 0 && stepId({ session, n }) === id
    ? { session, n }
    : undefined;
}
