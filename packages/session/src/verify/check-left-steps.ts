import {
  everyVersion,
  firstChain,
  isDocumentOf,
  nextChain,
  type ObjectStore,
  type StepAddress,
  sessionObjectId,
  stepId,
} from "@cm/object-model";
import { asWritten } from "../history/as-written.ts";
import { readInParts } from "../history/read-in-parts.ts";
import { readPath, type SessionHeads } from "../history/read-path.ts";
import type { Finding } from "./finding.ts";

/**
 * Steps that are not on the way to the head: of other writers, and those that the session went back from. Each was the
 * newest once, and the head's version of that moment vouches for it and all before it. Of a branch that does not hold,
 * the first step that differs is named. A session from a bundle has no such versions: nobody vouches for them there.
 * @param chains of the steps on the way to the head, by their ids
 */
export async function* checkLeftSteps(
  store: ObjectStore,
  session: string,
  { heads, chains }: { readonly heads: SessionHeads; readonly chains: ReadonlyMap<string, string> },
): AsyncGenerator<Finding> {
  const numbers = Array.from({ length: heads.session.next_step }, (_, n) => n);
  const left = numbers.filter((n) => !chains.has(stepId({ session, n })));
  if (left.length === 0) return;
  const known = new Map([...(await inheritedChains(store, session, heads)), ...chains]);
  const vouched = await vouchedChains(store, session);
  const steps = await readInParts(
    store,
    left.map((n) => stepId({ session, n })),
  );
  for (const n of left) {
    const id = stepId({ session, n });
    const step = steps.get(id);
    // What is missing is named by its number.
    if (step === undefined) continue;
    const { document } = step;
    const { contentHash } = await asWritten(store, step);
    const said = vouched.get(id);
    const before =
      document !== undefined && isDocumentOf(document, "step")
        ? chainBefore(document.parent, known, session)
        : undefined;
    const chain = before === undefined ? said : nextChain(before, contentHash);
    // What comes after it is held against what was vouched for, so that one fault has one finding.
    const holds = said ?? chain;
    if (holds !== undefined) known.set(id, holds);
    if (said !== undefined && chain !== said)
      yield { id, type: "step", problem: "head", detail: "not what the head vouched for when it was the newest step" };
  }
}

function chainBefore(
  parent: StepAddress | null,
  known: ReadonlyMap<string, string>,
  session: string,
): string | undefined {
  return parent === null ? firstChain(session) : known.get(stepId(parent));
}

/** The chain after each step that the session inherited by a fork. */
async function inheritedChains(
  store: ObjectStore,
  session: string,
  { session: { forked_from: forkedFrom } }: SessionHeads,
): Promise<ReadonlyMap<string, string>> {
  const chains = new Map<string, string>();
  let chain = firstChain(session);
  for (const { address, contentHash } of await readPath(store, forkedFrom ?? null)) {
    chain = nextChain(chain, contentHash);
    chains.set(stepId(address), chain);
  }
  return chains;
}

/** What the head said of each step when that was the newest one, by the step's id. */
async function vouchedChains(store: ObjectStore, session: string): Promise<ReadonlyMap<string, string>> {
  const chains = new Map<string, string>();
  const id = sessionObjectId(session);
  // Newest first: what a session says when it goes back to a step does not count, but what it said first.
  for await (const { document } of everyVersion((page) => store.history(id, { ...page, documents: true }))) {
    if (document === undefined || !isDocumentOf(document, "session") || document.head === null) continue;
    chains.set(stepId(document.head), document.chain);
  }
  return chains;
}
