import { z } from "zod";
import { limits } from "../limits.ts";
import type { Endpoint } from "./endpoint.ts";

/** How one attempt ended. */
export type Attempt =
  | { readonly json: unknown }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly repeatable: boolean;
      readonly retryAfter: string | readonly string[] | undefined;
      readonly word: string | undefined;
    }
  | { readonly kind: "timeout"; readonly requestMs: number; readonly repeatable: false }
  | { readonly kind: "lost"; readonly cause: unknown; readonly repeatable: true }
  | { readonly kind: "no-json"; readonly repeatable: true }
  | { readonly kind: "too-long"; readonly repeatable: false };

/**
 * Milliseconds until the next attempt: what the endpoint asks for, else twice as long each time. Undefined where it
 * asks for more than `retryAfterMsMax`: coming back sooner would be rude, waiting would look like a hang.
 */
export function pauseBefore(
  attempt: Exclude<Attempt, { json: unknown }>,
  retries: number,
  nowMs = Date.now(),
): number | undefined {
  const asked = attempt.kind === "status" ? retryAfterMs(attempt.retryAfter, nowMs) : undefined;
  if (asked === undefined) return Math.min(limits.retryPauseMsMin * 2 ** retries, limits.retryAfterMsMax);
  return asked <= limits.retryAfterMsMax ? asked : undefined;
}

/** RFC 9110: seconds, or a date. */
function retryAfterMs(header: string | readonly string[] | undefined, nowMs: number): number | undefined {
  if (typeof header !== "string") return undefined;
  if (/^[0-9]{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

const errorShape = z.object({
  error: z.object({ type: z.string().nullish(), code: z.union([z.string(), z.number()]).nullish() }),
});

/**
 * The endpoint's own name for what is wrong, such as `invalid_request_error`. Its sentences are left out: they may quote
 * the prompt, or the key.
 */
export function shortWord(text: string, endpoint: Endpoint): string | undefined {
  try {
    const { type, code } = errorShape.parse(JSON.parse(text)).error;
    const key = endpoint.key();
    return [type, code]
      .map((word) => (word === null || word === undefined ? "" : String(word)))
      .filter((word) => /^[\w.-]+$/.test(word) && word.length <= limits.endpointReasonCharsMax)
      .find((word) => key === undefined || key === "" || !word.includes(key));
  } catch {
    return undefined;
  }
}
