import { type Checkout, canonicalJson, defined, limits as modelLimits, type Source } from "@cm/object-model";
import { limits } from "../limits.ts";
import { answerInTime } from "./scan.ts";

/** Asks sources for the working copies that their things lie in. No answer ever holds up a step for long. */
export class Checkouts {
  readonly #sources: readonly Source[];
  /** Questions that got no answer in time: no second one is asked before that. */
  readonly #hanging = new Set<Source>();

  constructor(sources: readonly Source[]) {
    this.#sources = sources.filter(({ checkouts }) => checkouts !== undefined);
  }

  /** In an order of their own. Undefined: no source can tell, or not all could. */
  async now(): Promise<readonly Checkout[] | undefined> {
    if (this.#sources.length === 0) return undefined;
    const answers = await Promise.all(this.#sources.map((source) => this.#ask(source)));
    const known = answers.flatMap((answer) => (answer === undefined ? [] : [answer]));
    return known.length < answers.length ? undefined : cleanCheckouts(known.flat());
  }

  async #ask(source: Source): Promise<readonly Checkout[] | undefined> {
    if (this.#hanging.has(source)) return undefined;
    this.#hanging.add(source);
    return answerInTime(async () => {
      try {
        return await source.checkouts?.();
      } finally {
        this.#hanging.delete(source);
      }
    }, limits.checkoutsMs);
  }
}

/** Only what a document can carry, sorted: what a source says must never cost a step. */
function cleanCheckouts(checkouts: readonly Checkout[]): readonly Checkout[] {
  const clean = checkouts.flatMap((checkout): Checkout[] => {
    const [namespace, root, repository] = [checkout.namespace, checkout.root, checkout.repository].map(text);
    if (namespace === undefined || root === undefined || repository === undefined) return [];
    const [commit, branch] = [checkout.commit, checkout.branch].map(name);
    return [{ namespace, root, repository, ...defined({ commit, branch }) }];
  });
  const byPlace = new Map(clean.map((checkout) => [JSON.stringify([checkout.namespace, checkout.root]), checkout]));
  const places = [...byPlace].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, limits.checkoutsMax);
  return places.map(([, checkout]) => checkout);
}

export function sameCheckouts(a: readonly Checkout[], b: readonly Checkout[]): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

function text(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > modelLimits.sourceFieldCharsMax) return undefined;
  return value.toWellFormed();
}

function name(value: unknown): string | undefined {
  return text(value)?.slice(0, modelLimits.nameCharsMax).toWellFormed();
}

/** A working copy that is not what it was; a missing side is one that was not there. */
export interface CheckoutChange {
  readonly was?: Checkout;
  readonly now?: Checkout;
}

/**
 * Which working copies differ, and how: at the same place another commit or branch, or the same repository at another
 * place. Pure. Where nothing was recorded there is nothing to compare with.
 */
export function changedCheckouts(was: readonly Checkout[], now: readonly Checkout[]): readonly CheckoutChange[] {
  if (was.length === 0) return [];
  const arrived = new Set(now);
  const left: Checkout[] = [];
  const changes: CheckoutChange[] = [];
  for (const before of was) {
    const after = now.find((checkout) => isSamePlace(before, checkout));
    if (after === undefined) left.push(before);
    else arrived.delete(after);
    if (after !== undefined && isOther(before, after)) changes.push({ was: before, now: after });
  }
  for (const before of left) {
    const after = likest(before, [...arrived]);
    if (after !== undefined) arrived.delete(after);
    changes.push({ was: before, ...defined({ now: after }) });
  }
  return [...changes, ...[...arrived].map((checkout) => ({ now: checkout }))];
}

function isSamePlace(a: Checkout, b: Checkout): boolean {
  return a.namespace === b.namespace && a.root === b.root;
}

/** A commit that cannot be told is no other commit. */
function isOther(before: Checkout, after: Checkout): boolean {
  if (before.repository !== after.repository || before.branch !== after.branch) return true;
  return before.commit !== undefined && after.commit !== undefined && before.commit !== after.commit;
}

/** Of the working copies of the same repository, the one at the same commit or branch, else the first. */
function likest(before: Checkout, others: readonly Checkout[]): Checkout | undefined {
  const same = others.filter(({ repository }) => repository === before.repository);
  return (
    same.find((other) => !isOther(before, other)) ?? same.find(({ branch }) => branch === before.branch) ?? same[0]
  );
}
