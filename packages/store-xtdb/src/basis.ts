import type { Basis } from "@cm/object-model";

/** A transaction and its time. `txId` is undefined on a database that has none yet. */
export interface Tx {
  readonly txId: number | undefined;
  readonly timeMs: number;
}

/** XTDB's transaction id, and the transaction's time, which a read at it needs and XTDB would have to be asked for. */
export function basisOf({ txId, timeMs }: Tx): Basis {
  return `x${txId ?? ""}.${timeMs}`;
}

/** `undefined` for what is no basis of this store. */
export function readBasis(basis: string): Tx | undefined {
  const match = /^x(0|[1-9][0-9]{0,15}|)\.(-?[0-9]{1,16})$/.exec(basis);
  if (match === null) return undefined;
  const [, txId = "", timeMs = ""] = match;
  return { txId: txId === "" ? undefined : Number(txId), timeMs: Number(timeMs) };
}
