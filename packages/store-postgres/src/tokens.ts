import type { Basis, VersionToken } from "@cm/object-model";

/** A version by its object and its place among the object's writes. */
export interface VersionPlace {
  readonly oid: number;
  readonly n: number;
}

export const basisOf = (txId: number): Basis => `p${txId}`;
export const tokenOf = ({ oid, n }: VersionPlace): VersionToken => `v${oid}.${n}`;

/** The transaction that a basis names; NaN for a token of another kind. */
export function txIdOf(basis: Basis): number {
  const digits = /^p(0|[1-9][0-9]{0,15})$/.exec(basis)?.[1];
  return digits === undefined ? Number.NaN : Number(digits);
}
