import type { LeveledObject, TurnMessage, TurnRecord } from "@cm/context-log";
import type { ToolRun } from "./named-outcomes.ts";
import { counted, objectText } from "./object-words.ts";

/** A turn in words, or why there is none. */
export type TurnText = { readonly head: string; readonly text: string } | { readonly none: string };

const pattern = /^turn[ _-]?([1-9]\d{0,8})$/i;

/** The number of a turn that a name means: `turn12`. */
export function turnNamed(name: string): number | undefined {
  const number = pattern.exec(name.trim())?.[1];
  return number === undefined ? undefined : Number(number);
}

/** What was said in a turn, and in place of each call what it was: its output is an object of its own. */
export async function turnText(turn: number, { host, cwd }: ToolRun): Promise<TurnText> {
  const record = await host.turn?.(turn);
  if (record === undefined) return { none: "this session has no such turn" };
  const lines = await Promise.all(
    record.messages.map(async (message) => wordsOf(message, await calledBy(message, host), cwd)),
  );
  const calls = record.messages.filter(({ role }) => role === "tool").length;
  const head = `Turn ${record.turn}, with ${counted(calls, "call")}${omittedWords(record)}`;
  return { head, text: lines.join("\n") };
}

const omittedWords = ({ stepsOmitted }: TurnRecord): string =>
  stepsOmitted === undefined ? "" : ` and ${counted(stepsOmitted, "further answer")} that are not shown`;

async function calledBy(message: TurnMessage, host: ToolRun["host"]): Promise<LeveledObject | undefined> {
  if (message.role !== "tool") return undefined;
  const outcome = await host.recall(message.object);
  return outcome.done ? outcome.object : undefined;
}

function wordsOf(message: TurnMessage, call: LeveledObject | undefined, cwd: string | undefined): string {
  if (message.role !== "tool") return `${message.role}: ${message.text ?? "[not known any more]"}`;
  if (call === undefined) return "call: [not known any more]";
  return `call: ${call.alias} ${objectText(call, cwd)}${call.status === "fail" ? ", failed" : ""}`;
}
