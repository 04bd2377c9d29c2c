import type { EraseReceipt, ObjectStore } from "@cm/object-model";
import { parseStepId } from "./parse-step-id.ts";
import { replaceSteps } from "./replace-steps.ts";

export interface EraseOptions {
  /** Of steps, only what was typed goes: answers and their thinking stay. */
  readonly keepAnswers?: boolean;
}

/**
 * Takes objects for good (SSOT 2.8). Of a step what was typed and answered in it is meant: texts, thinking, and arguments
 * of calls that no object has. Its place is taken by a step without them, so that the session goes on, is exported and
 * forked as before; results and files are objects of their own. Repeating it is safe, and completes what a death cut off:
 * until it returns, what was to be erased may be there.
 * @throws CmError `session/unknown-object` for a step that is not there, or of which nothing is left; what the store throws
 */
export async function eraseObjects(
  store: ObjectStore,
  ids: readonly string[],
  reason: string,
  { keepAnswers = false }: EraseOptions = {},
): Promise<EraseReceipt> {
  const steps = ids.flatMap((id) => parseStepId(id) ?? []);
  const others = ids.filter((id) => parseStepId(id) === undefined);
  const roles = new Set(keepAnswers ? (["user"] as const) : (["user", "assistant"] as const));
  // The replacements come first: a death between the two loses nothing, and the same call goes on from there.
  const replaced = await replaceSteps(store, steps, roles);
  return store.erase([...others, ...replaced], reason);
}
