import { randomSession as anySession, type Random, type RandomSessionOptions, type SessionEvent } from "@cm/testkit";
import { hostileText } from "./hostile-text.ts";

/** The testkit's random session, hostile in our own layouts' words. */
export function randomSession(random: Random, options: RandomSessionOptions): readonly SessionEvent[] {
  return anySession(random, { ...options, hostileText });
}
