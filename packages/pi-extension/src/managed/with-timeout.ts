import { withDeadline } from "@cm/object-model";
import { piError } from "../errors.ts";

/** The answer, or `pi/unavailable` after that time. What was asked goes on, and its failure is ignored. */
export function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  return withDeadline(work, ms, () => {
    throw piError("pi/unavailable", `The database gave no answer in ${ms} ms.`, { ms });
  });
}
