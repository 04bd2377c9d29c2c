import { CmError, type ErrorData, isCmError, refusals, type StoreErrorCode } from "@cm/object-model";

/** What an error of the server or of the connection says: its SQLSTATE, or the code of Node's error. */
export interface Fault {
  readonly code: string | undefined;
  /** The server took the statement back, so nothing was written. */
  readonly isRefusal: boolean;
}

/** The basis is not one of the store. */
const unknownBasis = "CM001";

/** The same on a standby, which may only be behind. */
const notYet = "CM003";

/** The server is read-only. */
export const readOnly = "25006";

/**
 * Codes after which the same call may succeed: the server starts, stops, is full, or is not the one that writes. A standby may
 * take over at any moment and does not know it, so one that was named by mistake is told from one that will only at the deadline.
 */
const passing =
  /^(?:57P0[123]|53300|25006|CM003|40001|40P01|08...|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|ENOENT)$/;

/** Sentences for SQLSTATEs that people can do something about. The server's own message may quote data and stays out. */
const advice: ReadonlyMap<string, string> = new Map([
  ["28P01", "Postgres refused the login; check user and password."],
  ["28000", "Postgres refused the login; check the user and pg_hba.conf."],
  ["3D000", "The database does not exist; create it or name another."],
  ["42501", "The role may not do this; grant it the store, or use the role that made it."],
  ["42883", "The namespace has not what this package calls; update the package, or migrate the store."],
  ["3F000", "The namespace is not there; open the store with a role that may make it."],
  ["53100", "The server's disk is full; make room and try again."],
  ["53200", "The server is out of memory; try again."],
  ["53300", "The server takes no more connections; try again later or put PgBouncer before it."],
  ["55P03", "Other writers held the namespace for too long; try again."],
  ["57014", "The call took longer than deadlineMs and was cancelled; try again."],
  [readOnly, "The server is read-only, as a standby is; name the primary."],
  ["CM002", "The role's default_transaction_isolation must be 'read committed'; set it so."],
]);

/** SQLSTATEs of damaged storage, and of rows that contradict the schema. */
const damaged = /^(?:XX00[12]|58P\d\d|23...)$/;

/** Undefined for an error that neither the server nor the connection made, such as a fault of the caller's code. */
export function faultOf(error: unknown): Fault | undefined {
  if (!(error instanceof Error) || isCmError(error)) return undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  if ("severity" in error && code !== undefined) return { code, isRefusal: error.severity === "ERROR" };
  if (/\bSSL\b/.test(error.message)) return { code: "ERR_SSL", isRefusal: false };
  // The client's own words for a connection that ended have no code.
  return code !== undefined || /connection|timeout|terminated|socket|queryable/i.test(error.message)
    ? { code, isRefusal: false }
    : undefined;
}

/** For an answer that a standby gave to a call that writes: it may be behind, so the answer stands for nothing. */
export const fromStandby = (): Error => refusal("The server is read-only.", readOnly);

/** For a commit that a synchronous standby may not have: as where the connection was lost before the answer. */
export const onOneServer = (): Error => new Error("The connection waits for the standby no longer.");

/** What the server's refusal means where it is a standby. */
export function onStandby(error: unknown): Error | undefined {
  return faultOf(error)?.code === unknownBasis ? refusal("The standby is behind.", notYet) : undefined;
}

const refusal = (message: string, code: string): Error =>
  Object.assign(new Error(message), { code, severity: "ERROR" });

/** Whether the connection may lead to a server that is gone, or no longer the one that writes; so may others of its age. */
export const isOutdated = ({ code, isRefusal }: Fault): boolean => !isRefusal || code === readOnly;

/** Whether another try may succeed where this one did not. */
export const mayPass = ({ code, isRefusal }: Fault): boolean =>
  code === undefined ? !isRefusal : passing.test(code) || (!isRefusal && !isLogin(code));

export const isLogin = (code: string): boolean => code.startsWith("28") || code === "3D000" || isUntrusted(code);

/** TLS that cannot be had, or a certificate that does not fit. */
const isUntrusted = (code: string): boolean =>
  /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code);

/** The contract's error for a fault. No cause: messages of server and client may hold data, addresses or logins. */
export function toStoreError(error: unknown): unknown {
  const fault = faultOf(error);
  if (fault === undefined) return error;
  const { code } = fault;
  const data: ErrorData = code === undefined ? {} : { postgres: code };
  if (code === unknownBasis || code === notYet) return refusals.unknownBasis();
  if (code !== undefined && damaged.test(code)) {
    return storeError(
      "store/corrupt",
      "The database is damaged or not as its schema says; restore it from a copy.",
      data,
    );
  }
  const known = code === undefined ? undefined : advice.get(code);
  if (known !== undefined) return storeError("store/unavailable", known, data);
  if (code !== undefined && isUntrusted(code)) {
    return storeError("store/unavailable", "TLS with the server failed; check sslmode and certificates.", data);
  }
  if (fault.isRefusal) {
    return storeError("store/unavailable", "Postgres refused the call; its log says why.", data);
  }
  return storeError("store/unavailable", "Postgres cannot be reached; check the address and that it runs.", data);
}

export function unknownOutcome(): CmError<StoreErrorCode> {
  return storeError(
    "store/unknown-outcome",
    "The answer was lost, so the call may have been done; repeat it, a commit with the same request id.",
  );
}

export function storeError(code: StoreErrorCode, message: string, data: ErrorData = {}): CmError<StoreErrorCode> {
  return new CmError(code, message, data);
}
