import { argsPart, isNote, resultPart } from "@cm/context-log";
import { ContextLog } from "@cm/context-log/state";
import {
  type DocumentOf,
  everyVersion,
  isDocumentOf,
  type ObjectStore,
  type StepAddress,
  sessionOfReference,
  stepId,
} from "@cm/object-model";
import { readPath } from "../../history/read-path.ts";
import { replaySteps } from "../../history/replay.ts";
import { limits } from "../../limits.ts";
import { type FoundStep, findStep } from "./found-step.ts";

/** Parts of the log (contract `PartForm`) whose text is erased. */
export type ErasedParts = ReadonlySet<string>;

/**
 * The steps after one, in its session or in one that continues it, that hold other words for a text of it that is erased.
 */
export async function amendingSteps(
  store: ObjectStore,
  address: StepAddress,
  parts: () => Promise<ErasedParts>,
): Promise<readonly FoundStep[]> {
  const steps: FoundStep[] = [];
  for await (const other of stepsThatAmend(store, address)) {
    const found = await findStep(store, other);
    const erased = await parts();
    const holds = found.all.some(({ document }) => isDocumentOf(document, "step") && amends(document, erased));
    if (holds && (await continues(store, other, address))) steps.push(found);
  }
  return steps;
}

function amends({ amended = [] }: DocumentOf<"step">, parts: ErasedParts): boolean {
  return amended.some(({ at, call }) => parts.has(call === undefined ? resultPart(at) : argsPart(at, call)));
}

/** Of the session itself, and of those that begin at a step of another one. */
async function* stepsThatAmend(store: ObjectStore, address: StepAddress): AsyncGenerator<StepAddress> {
  const page = { limit: limits.objectsPerPage, documents: true };
  const sessions = new Set([address.session]);
  for await (const { id, document } of everyVersion((at) => store.find({ type: "session" }, { ...page, ...at }))) {
    const isFork = document !== undefined && isDocumentOf(document, "session") && document.forked_from !== undefined;
    if (isFork) sessions.add(sessionOfReference(id));
  }
  for (const session of sessions) {
    for await (const step of everyVersion((at) => store.find({ session, type: "step" }, { ...page, ...at }))) {
      const { id, document } = step;
      if (document === undefined || !isDocumentOf(document, "step") || id === stepId(address)) continue;
      if (document.amended !== undefined || document.replaces?.amended === true) yield { session, n: document.n };
    }
  }
}

/** Where the erased texts of a step stand in the log: each of its messages is one entry there, with notes between. */
export async function erasedParts(
  store: ObjectStore,
  address: StepAddress,
  { parent, messages, replaces }: DocumentOf<"step">,
): Promise<ErasedParts> {
  const log = new ContextLog(address.session, 0);
  const { state } = log;
  let first = 0;
  for await (const { address: passed } of replaySteps(store, address, log)) {
    if (passed.session === parent?.session && passed.n === parent.n) first = state.log.length;
  }
  const entries = state.log.slice(first).filter((entry) => !isNote(entry));
  return new Set(
    (replaces?.texts ?? []).flatMap(({ message, part }) => {
      const at = entries[message]?.at;
      const said = messages[message];
      if (at === undefined || said?.role === "tool" || part === "thinking") return [];
      if (part === "text") return [resultPart(at)];
      const calls = said?.role === "assistant" ? (said.calls ?? []) : [];
      return calls.flatMap(({ object }, call) => (object === undefined ? [argsPart(at, call)] : []));
    }),
  );
}

async function continues(store: ObjectStore, step: StepAddress, { session, n }: StepAddress): Promise<boolean> {
  const path = await readPath(store, step);
  return path.some(({ address }) => address.session === session && address.n === n);
}
