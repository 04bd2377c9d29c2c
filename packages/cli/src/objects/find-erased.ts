import { type ObjectStore, type StepAddress, stepId } from "@cm/object-model";
import { parseStepId } from "@cm/session";
import { cliError } from "../errors.ts";
import { callsOn } from "./calls-on.ts";
import { filesBelow } from "./files-below.ts";
import { findObject } from "./find-object.ts";
import { findStep } from "./find-session.ts";
import { parseStepAddress } from "./step-address.ts";

/** The options of an erasure, in addition to names. */
export interface ErasedOptions {
  readonly session?: string;
  readonly below?: string;
  readonly source: string;
  readonly in?: string;
  readonly calls?: true;
  /** Where relative paths begin. */
  readonly cwd: string;
}

/** Steps whose texts are to be erased, and objects. */
export interface Erased {
  readonly steps: readonly StepAddress[];
  readonly ids: readonly string[];
}

/** All of it, or an error: a mistyped name must not leave half of what was asked for. @throws CmError `cli/not-found`, `cli/ambiguous` */
export async function findErased(
  store: ObjectStore,
  texts: readonly string[],
  { session, below, source, in: place, calls, cwd }: ErasedOptions,
): Promise<Erased> {
  const steps = new Map<string, StepAddress>();
  const ids = new Set<string>();
  for (const text of texts) {
    const step = await namedStep(store, text);
    if (step === undefined) ids.add(await findObject(store, text, { session, cwd }));
    else steps.set(stepId(step), step);
  }
  if (below !== undefined) {
    const before = ids.size;
    for await (const { id } of filesBelow(store, { source, place, prefix: below })) ids.add(id);
    if (ids.size === before && texts.length === 0)
      throw cliError("cli/not-found", `No file begins with ${below}; \`cm files\` lists those there are.`);
  }
  const further = calls === true ? (await callsOn(store, ids)).filter((id) => !ids.has(id)) : [];
  return { steps: [...steps.values()], ids: [...ids, ...further] };
}

/** As `SESSION@STEP`, or by the id that lists show. */
async function namedStep(store: ObjectStore, text: string): Promise<StepAddress | undefined> {
  const named = parseStepAddress(text) ?? parseStepId(text);
  return named === undefined ? undefined : findStep(store, named);
}
