import { type Checkout, defined } from "@cm/object-model";

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
