import { type PolicyBundle, parseBundle, schemaVersions } from "./policy-bundle.ts";

/** Why a session does not start, or does not go on, with a bundle. */
export type BundleRefusal = "unknown_schema" | "invalid" | "expired" | "other_session";

export type Admission =
  | { readonly outcome: "admitted"; readonly bundle: PolicyBundle }
  | { readonly outcome: "refused"; readonly reason: BundleRefusal; readonly message: string };

export interface AdmissionMoment {
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Whether a session may run under a bundle: its schema is known, it is whole, it has not expired, it is this session's. */
export function admitBundle(value: unknown, { sessionId, now }: AdmissionMoment): Admission {
  const version = (value as { readonly schemaVersion?: unknown } | null | undefined)?.schemaVersion;
  if (!schemaVersions.some((known) => known === version)) {
    return refused("unknown_schema", `The policy bundle has a schema that is not known here; update this program.`);
  }
  let bundle: PolicyBundle;
  try {
    bundle = parseBundle(value);
  } catch (error) {
    return refused("invalid", error instanceof Error ? error.message : "The policy bundle is wrong.");
  }
  if (hasExpired(bundle, now))
    return refused("expired", "The policy bundle has expired; resume the session for another.");
  if (bundle.sessionId !== sessionId) return refused("other_session", "The policy bundle is another session's.");
  return { outcome: "admitted", bundle };
}

/** A bundle holds up to the moment that it names, and not at it. A clock that gives no number holds nothing. */
export const hasExpired = ({ expiresAt }: Pick<PolicyBundle, "expiresAt">, now: number): boolean =>
  !(now < Date.parse(expiresAt));

const refused = (reason: BundleRefusal, message: string): Admission => ({ outcome: "refused", reason, message });
