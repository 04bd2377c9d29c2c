import {
  chainHashOf,
  type DocumentOf,
  firstChain,
  nextChain,
  type StepAddress,
  sessionOfReference,
  stepId,
} from "@cm/object-model";
import { badLine, bundleError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { CarriedStep } from "./inventory.ts";

/**
 * The steps of a bundle in their order: those of a session by number, each after what it continues and after the system
 * prompt that it was made with. So they cannot run in a circle, and can be written as they come.
 */
export class StepOrder {
  readonly steps = new Map<string, CarriedStep>();
  readonly #erased = new Set<string>();
  /** Steps that others continue or merge, or that a head names. */
  readonly #led = new Set<string>();
  /** Sessions with a system prompt so far, or the mark of an erased one. */
  readonly #prompted = new Set<string>();
  /** Number of the newest step so far, by session. */
  readonly #newest = new Map<string, number>();

  addPrompt(session: string): void {
    this.#prompted.add(session);
  }

  addErased(id: string): void {
    this.#erased.add(id);
  }

  get sessions(): ReadonlySet<string> {
    return new Set(this.#newest.keys());
  }

  hasPrompt(session: string): boolean {
    return this.#prompted.has(session);
  }

  /** Whether a session's steps have the numbers below this one, all of them: what is not there is marked. */
  areAllBelow(session: string, next: number): boolean {
    const own = [...this.steps.values()].filter((step) => step.session === session).length;
    const start = `step:${session}:`;
    const erased = [...this.#erased].filter((id) => id.startsWith(start) && Number(id.slice(start.length)) < next);
    return own + erased.length === next && (this.#newest.get(session) ?? -1) < next;
  }

  add(step: DocumentOf<"step">, line: number): void {
    const session = sessionOfReference(step.session_ref);
    const { n, parent, merged } = step;
    const id = step["xt/id"];
    if (id !== stepId({ session, n })) throw badLine("bundle/invalid-document", line, "its step has another address");
    if (this.steps.has(id)) throw badLine("bundle/duplicate", line, "its step is there already");
    if (!this.#prompted.has(session)) {
      throw badLine("bundle/missing-reference", line, "no system prompt of its session stands before it");
    }
    if (n <= (this.#newest.get(session) ?? -1))
      throw badLine("bundle/misplaced", line, "a later step stands before it");
    for (const address of [parent ?? [], merged ?? []].flat()) this.leadTo(address, line);
    this.#newest.set(session, n);
    if (this.#newest.size > limits.sessionsMax) {
      const bound = limits.sessionsMax;
      throw badLine("bundle/limit", line, `it passes sessionsMax (${bound})`, { limit: "sessionsMax", bound });
    }
    const parentId = parent === null ? undefined : stepId(parent);
    this.steps.set(id, { contentHash: chainHashOf(step), parent: parentId, session, n, line });
  }

  /** @throws CmError `bundle/missing-reference` where the step does not stand before this line */
  leadTo(address: StepAddress, line: number): void {
    const id = stepId(address);
    this.#led.add(id);
    if (this.steps.has(id) || this.#erased.has(id)) return;
    throw badLine("bundle/missing-reference", line, "the step that it continues does not stand before it");
  }

  /** Steps of another session come along where the own ones continue them, and only then. */
  checkForeign(own: string): void {
    for (const [id, { session, line }] of this.steps) {
      if (session !== own && !this.#led.has(id)) throw badLine("bundle/foreign", line, "no step leads to it");
    }
  }
}

/** A path through the steps of a bundle: how many there are, and the chain over them. */
export interface Path {
  readonly length: number;
  readonly chain: string;
}

/** The path of a session to one of its steps; undefined where it is not here as a whole. */
export function pathTo(
  steps: ReadonlyMap<string, CarriedStep>,
  session: string,
  to: StepAddress | null,
): Path | undefined {
  const hashes: string[] = [];
  for (let id = to === null ? undefined : stepId(to); id !== undefined; ) {
    const step = steps.get(id);
    if (step === undefined) return undefined;
    hashes.push(step.contentHash);
    id = step.parent;
  }
  const chain = hashes.reduceRight((before, hash) => nextChain(before, hash), firstChain(session));
  return { length: hashes.length, chain };
}

export function badChain(reason: string) {
  return bundleError("bundle/bad-chain", `The bundle is refused: ${reason}. Have the session exported again.`, {
    reason,
  });
}
