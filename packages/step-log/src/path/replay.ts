import type { ContextLog, StepObjects } from "@cm/context-log/state";
import type { ObjectStore, StepAddress } from "@cm/object-model";
import { type PathStep, readPath } from "./read-path.ts";

/**
 * Takes a log along a path, step by step, without the objects that the steps name: sets, turns, counts, aliases and
 * chain follow from the steps alone. Texts are missing, and `complete` says nothing.
 * @throws CmError `session/damaged`, or what the store throws
 */
export async function* replaySteps(
  store: ObjectStore,
  to: StepAddress | null,
  log: ContextLog,
): AsyncGenerator<PathStep> {
  for (const step of await readPath(store, to)) {
    const { address, contentHash, document } = step;
    if (document === undefined) log.apply({ event: "erased", address, contentHash });
    else {
      log.apply({ event: "requested", step: document, objects: withoutObjects });
      log.apply({ event: "finished", step: document, objects: withoutObjects, prices: { read: 0, write: 0 } });
    }
    yield step;
  }
}

const withoutObjects: StepObjects = { toolcall: () => undefined, file: () => undefined };
