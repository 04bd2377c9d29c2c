import type { SessionFork } from "@cm/context-log";

/** That another program wrote the session, and under which name it goes on here (SSOT 3.7), in a line for people. */
export function forkNotice({ session, left }: SessionFork): string {
  return `Another program went on with Context Manager's session ${left}. This one goes on as ${session}; nothing is lost of either.`;
}
