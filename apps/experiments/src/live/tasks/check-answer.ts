import { limits } from "../limits.ts";
import type { TaskCheck } from "./task.ts";

export interface Verdict {
  readonly solved: boolean;
  /** In a few words, for the table. */
  readonly why: string;
}

/** The text after the last `ANSWER:`; marks of code and a full stop around it do not count. */
export function answerIn(text: string): string | undefined {
  const found = [...text.matchAll(/^[\s>*`]*ANSWER:(.*)$/gmu)].at(-1)?.[1];
  return found
    ?.trim()
    .replace(/^[`*"]+|[`*".]+$/g, "")
    .trim()
    .slice(0, limits.answerCharsMax);
}

export function checkAnswer(text: string, check: Exclude<TaskCheck, { kind: "tests" }>): Verdict {
  const answer = answerIn(text);
  if (answer === undefined) return { solved: false, why: "no line ANSWER:" };
  const solved =
    check.kind === "exact" ? answer === check.answer : new RegExp(`^(?:${check.answer})$`, "u").test(answer);
  return { solved, why: solved ? "right answer" : "wrong answer" };
}
