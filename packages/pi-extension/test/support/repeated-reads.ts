import type { ScriptedAnswer } from "@cm/scripted-models/real-pi";

/** Two answers that read the same file. Where the first stands in a prompt, the second is a line of ours. */
export const readsTwice = (path: string): readonly ScriptedAnswer[] =>
  Array.from({ length: 2 }, () => ({ calls: [{ name: "read", args: { path } }] }));

/** That line. */
export const sameAsBefore: RegExp = /^\[cm: the same \d+ lines of \S+ as 1 call above; cm_context show t2\]$/;
