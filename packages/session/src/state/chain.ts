import { sha256 } from "@cm/object-model";

/** The hash chain of a session before its first step. */
export function firstChain(session: string): string {
  return sha256(session);
}

/** The hash chain over a session's steps: changing any of them changes every later value. */
export function nextChain(chain: string, stepContentHash: string): string {
  return sha256(`${chain}${stepContentHash}`);
}
