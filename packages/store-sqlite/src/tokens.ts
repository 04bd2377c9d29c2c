import type { Basis, VersionToken } from "@cm/object-model";

export const basisOf = (txId: number): Basis => `s${txId}`;
export const tokenOf = (vid: number): VersionToken => `v${vid}`;

/** The transaction that a basis names; NaN for a token of another kind. */
export function txIdOf(basis: Basis): number {
  const digits = /^s(0|[1-9][0-9]*)$/.exec(basis)?.[1];
  return digits === undefined ? Number.NaN : Number(digits);
}
