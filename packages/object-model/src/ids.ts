import { CmError } from "./errors.ts";
import { limits } from "./limits.ts";

/** Where a step stands: the session that wrote it, and its number there, from 0. */
export interface StepAddress {
  readonly session: string;
  readonly n: number;
}

const sessionIdPattern = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/;
const sha256Pattern = /^[0-9a-f]{64}$/;
const infrastructurePattern = /^[a-z][a-z_]*:[^@]*$/;

export function isSessionId(value: string): boolean {
  return value.length <= limits.sessionIdCharsMax && sessionIdPattern.test(value);
}

/** @throws CmError `model/invalid-id` */
export function parseSessionId(value: string): string {
  if (isSessionId(value)) return value;
  throw new CmError(
    "model/invalid-id",
    `A session id has 1 to ${limits.sessionIdCharsMax} letters, digits, dots, underscores, hyphens or tildes.`,
  );
}

export const chatId = (session: string): string => `chat:${session}`;
export const sessionObjectId = (session: string): string => `session:${session}`;
export const systemPromptId = (session: string): string => `system_prompt:${session}`;
export const leaseId = (session: string): string => `lease:${session}`;
export const stepId = ({ session, n }: StepAddress): string => `step:${session}:${n}`;
export const keyframeId = ({ session, n }: StepAddress): string => `keyframe:${session}:${n}`;
export const standingId = ({ session, n }: StepAddress): string => `standing:${session}:${n}`;
export const journalId = (session: string): string => `journal:${session}`;
export const journalPartId = (session: string, n: number): string => `journal_part:${session}:${n}`;
/** Of a file, of an attachment by the hash in its id, or of a system prompt. */
export const erasedObjectId = (id: string): string => `erased_object:${id.replace(/^attachment:/, "")}`;
export const attachmentId = (sha256: string): string => `attachment:${sha256}`;

/** `chat:{session}` and its like, back to the session's id. */
export function sessionOfReference(reference: string): string {
  return reference.slice(reference.indexOf(":") + 1);
}

export function isSha256(value: string): boolean {
  return sha256Pattern.test(value);
}

export const isErasedObjectId = (id: string): boolean => {
  const [, of = ""] = /^erased_object:(.*)$/s.exec(id) ?? [];
  return isSha256(of) || (of.startsWith("system_prompt:") && isSessionId(sessionOfReference(of)));
};

/** True for ids that only infrastructure may carry: a lower-case word, a colon, and no `@`. */
export function isInfrastructureId(id: string): boolean {
  return infrastructurePattern.test(id);
}

/**
 * The ids under which a tool call may be stored, in order of preference: a provider's call ids are not unique (some
 * restart at `call_1`), so a taken id gets the session, then the step, then the place in the step as a suffix.
 * Ids that could be taken for another object's get the suffix at once.
 */
export function toolCallIds(callId: string, step: StepAddress, place: number): readonly string[] {
  const base = callId.toWellFormed().slice(0, limits.idCharsMax - limits.sessionIdCharsMax - 32);
  const inSession = `${base}@${step.session}`;
  const suffixed = [inSession, `${inSession}#${step.n}`, `${inSession}#${step.n}.${place}`];
  const unsafe = base === "" || isInfrastructureId(base) || isSha256(base) || base.includes("@");
  return unsafe ? suffixed : [base, ...suffixed];
}

/** The owner in the lease of a session while an import writes it: left by one that was cut. */
export const importOwner = "an import";
