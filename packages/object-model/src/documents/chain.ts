import { sha256 } from "../hashing.ts";

/** The hash chain of a session before its first step (SSOT 3.8). */
export function firstChain(session: string): string {
  return sha256(session);
}

/** The hash chain over a session's steps: changing any of them changes every later value. */
export function nextChain(chain: string, stepContentHash: string): string {
  return sha256(`${chain}${stepContentHash}`);
}
