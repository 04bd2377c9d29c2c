import {
  type Basis,
  firstWrite,
  isDocumentOf,
  isSha256,
  type ObjectStore,
  objectIdOf,
  type StepAddress,
  type StoredVersion,
  stepId,
} from "@cm/object-model";
import { bundleError } from "../errors.ts";
import { limits } from "../limits.ts";
import { pendingReferences, stepReferences } from "../references/step-references.ts";
import { damaged, type Heads } from "./read-heads.ts";
import { StepsBehind } from "./steps-behind.ts";

/** A step to be exported: what orders it, without what it says. */
export interface FoundStep extends StepAddress {
  readonly id: string;
  /** The transaction that wrote it, and its time. */
  readonly basis: Basis;
  readonly timeMs: number;
  /** Ids of the step it continues, and of all steps that come before it. */
  readonly parent: string | undefined;
  readonly after: readonly string[];
}

/** Ids and hashes of all that a session refers to. Texts are read again when they are written. */
export interface Scope {
  readonly steps: Map<string, FoundStep>;
  /** Steps that are not there any more, all off the path to the head. */
  readonly lostSteps: Map<string, "erased" | "missing">;
  readonly toolcalls: Set<string>;
  readonly attachments: Set<string>;
  /** Wanted versions by file. */
  readonly files: Map<string, Set<string>>;
  /** Files that are wanted as they are now, if they are there: no step says how they are. */
  readonly currentFiles: Map<string, "touched" | "indexed">;
}

/**
 * All steps of a session, also those of branches it left, and the steps of other sessions that they continue.
 * @throws CmError `bundle/erased-step`, `bundle/damaged-session`, `bundle/limit`
 */
export async function findSteps(store: ObjectStore, heads: Heads): Promise<Scope> {
  const { session, head } = heads;
  const scope: Scope = {
    steps: new Map(),
    lostSteps: new Map(),
    toolcalls: new Set(),
    attachments: new Set(),
    files: new Map(),
    currentFiles: new Map(),
  };
  const indexed = new Set<string>();
  const asked = new Set<string>();
  const wanted: StepAddress[] = [];
  const ask = (address: StepAddress | null | undefined) => {
    if (address === null || address === undefined || asked.has(stepId(address))) return;
    asked.add(stepId(address));
    wanted.push(address);
  };
  if (head.next_step > limits.linesMax) throw tooLong(session);
  for (let n = 0; n < head.next_step; n += 1) ask({ session, n });
  ask(head.head);
  ask(head.forked_from);
  const steps = new StepsBehind(store, heads.basis);
  while (wanted.length > 0) {
    if (asked.size > limits.linesMax) throw tooLong(session);
    const part = wanted.splice(0, limits.smallObjectsPerReadMax);
    const found = await steps.get(part);
    for (const address of part) {
      const version = found.get(stepId(address));
      if (version?.document === undefined) {
        scope.lostSteps.set(stepId(address), version === undefined ? "missing" : "erased");
      } else for (const next of take(scope, indexed, { address, version: await asWritten(store, version) })) ask(next);
    }
  }
  checkPath(scope, heads);
  addPending(scope, indexed, heads);
  for (const id of indexed) addIndexed(scope, id);
  return scope;
}

interface ReadStep {
  readonly address: StepAddress;
  /** With the transaction that wrote the step, whatever was erased of it since. */
  readonly version: StoredVersion;
}

/** A step that replaces another was written when that one was: its request was made with the system prompt of then. */
async function asWritten(store: ObjectStore, version: StoredVersion): Promise<StoredVersion> {
  const { document, id } = version;
  const isReplacement = document !== undefined && isDocumentOf(document, "step") && document.replaces !== undefined;
  const { basis, transactionTime } = (isReplacement ? await firstWrite(store, id) : undefined) ?? version;
  return { ...version, basis, transactionTime };
}

/** The steps that it leads to. */
function take(scope: Scope, indexed: Set<string>, { address, version }: ReadStep): readonly StepAddress[] {
  const { document } = version;
  if (document === undefined || !isDocumentOf(document, "step")) throw damaged(address.session, "a step is none");
  const { toolcalls, files, attachments, steps, indexed: entered } = stepReferences(document);
  const { id, basis, transactionTime } = version;
  scope.steps.set(id, {
    ...address,
    id,
    basis,
    timeMs: transactionTime.getTime(),
    parent: document.parent === null ? undefined : stepId(document.parent),
    after: steps.map(stepId),
  });
  for (const toolcall of toolcalls) scope.toolcalls.add(toolcall);
  for (const attachment of attachments) scope.attachments.add(attachment);
  for (const { file, contentHash } of files) {
    scope.files.set(file, (scope.files.get(file) ?? new Set()).add(contentHash));
  }
  for (const object of entered) indexed.add(object);
  return steps;
}

/** Every step on the way to the head has to be there: nothing else vouches for an erased one in another store. */
function checkPath({ steps, lostSteps }: Scope, { session, head }: Heads): void {
  const passed = new Set<string>();
  for (let id = head.head === null ? undefined : stepId(head.head); id !== undefined; ) {
    if (lostSteps.get(id) === "erased") {
      throw bundleError(
        "bundle/erased-step",
        `The session ${session} continues the erased step ${id}, which no other store could vouch for; fork it before that step and export the fork.`,
        { session, id },
      );
    }
    const step = steps.get(id);
    if (step === undefined || passed.has(id)) throw damaged(session, `the path to its head breaks at ${id}`);
    passed.add(id);
    id = step.parent;
  }
}

function addPending(scope: Scope, entered: Set<string>, { head }: Heads): void {
  const { toolcalls, files, attachments, indexed } = pendingReferences(head);
  for (const object of indexed) entered.add(object);
  for (const { file, contentHash } of files) {
    scope.files.set(file, (scope.files.get(file) ?? new Set()).add(contentHash));
  }
  for (const toolcall of toolcalls) scope.toolcalls.add(toolcall);
  for (const attachment of attachments) scope.attachments.add(attachment);
  for (const { source } of head.pending?.touches ?? []) {
    scope.currentFiles.set(objectIdOf({ type: "file", source }), "touched");
  }
}

/** An object of the index is a file that some step saw, a file that no step saw yet, or a tool call. */
function addIndexed({ files, currentFiles, toolcalls }: Scope, id: string): void {
  if (files.has(id) || toolcalls.has(id)) return;
  if (isSha256(id)) currentFiles.set(id, "indexed");
  else toolcalls.add(id);
}

function tooLong(session: string) {
  const bound = limits.linesMax;
  return bundleError("bundle/limit", `The session ${session} has more steps than a bundle has lines (${bound}).`, {
    limit: "linesMax",
    bound,
  });
}
