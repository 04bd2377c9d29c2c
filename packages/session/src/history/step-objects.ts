import type { PromptDecision } from "@cm/context-log";
import type { StepObjects } from "@cm/context-log/state";
import {
  type Basis,
  type DocumentOf,
  indexedBy,
  isDocumentOf,
  isSha256,
  type ObjectStore,
  observedBy,
  toolcallsIn,
} from "@cm/object-model";
import { readInParts } from "./read-in-parts.ts";
import type { PathStep } from "./read-path.ts";
import { readShownVersions } from "./read-shown-versions.ts";
import { shownVersions } from "./shown-versions.ts";
import { wasCarried } from "./was-carried.ts";

/**
 * The objects that a path's steps refer to, fetched in few reads: tool calls, and of files the versions that the state
 * after the path shows, or a request from `renderedFrom` on.
 */
export async function readStepObjects(
  store: ObjectStore,
  path: readonly PathStep[],
  { renderedFrom, at }: { readonly renderedFrom: number; readonly at: Basis | undefined },
): Promise<StepObjects> {
  const steps = path.map(({ document }) => document);
  const known = steps.flatMap((step) => step ?? []);
  const versions = shownVersions(steps, renderedFrom);
  const files = new Set(known.flatMap(observedBy).map(({ file }) => file));
  const toolcalls = new Set(
    known
      .flatMap((step) => [...toolcallsIn(step.messages), ...indexedBy(step), ...recalledBy(step)])
      .filter((id) => !files.has(id)),
  );
  const wanted = new Set([...toolcalls, ...versions.map(({ file }) => file)]);
  // What holds now is, most often, what the path's end saw. Of each file whose version is wanted, and of all calls.
  const found = new Map(await readInParts(store, [...wanted], at));
  // Somebody brought them here after the heads.
  const late = at === undefined ? [] : [...wanted].filter((id) => !found.has(id));
  if (late.length > 0) for (const [id, version] of await readInParts(store, late)) found.set(id, version);
  const session = path.at(-1)?.address.session;
  const isCarried =
    session !== undefined && [...wanted].some((id) => !found.has(id)) && (await wasCarried(store, session));
  const shown = await readShownVersions(store, path, { versions, found });
  return {
    toolcall(id) {
      const document = found.get(id)?.document;
      return document !== undefined && isDocumentOf(document, "toolcall") ? document : undefined;
    },
    file: (id, contentHash) => shown.get(id)?.get(contentHash),
    isMissing: (id) => !isCarried && wanted.has(id) && !found.has(id),
    isPassedOver: (id, contentHash) => shown.get(id)?.has(contentHash) !== true,
  };
}

/** Calls that were brought back may have left the prompt long before. A recall of a file names its version elsewhere. */
function recalledBy({ decision }: DocumentOf<"step">): readonly string[] {
  const { recall = [] } = decision as Pick<PromptDecision, "recall">;
  return recall.flatMap((one) => (typeof one === "string" || isSha256(one.object) ? [] : [one.object]));
}
