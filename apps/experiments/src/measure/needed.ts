import type { LogEntry, RenderedPrompt } from "@cm/object-model";
import type { RecordedAssistant, RecordedCall } from "../recordings/recording.ts";
import { contentOf, plainContentOf } from "./prompt-texts.ts";

export interface NeededCount {
  /** Texts that edits replaced and that the plain log showed before. */
  readonly needed: number;
  /** Those of them that the prompt showed. */
  readonly met: number;
}

/**
 * Whether a prompt showed what the answer's edits needed. An edit needs the longest line of the text it replaces; it
 * may stand as it is or, inside arguments, as JSON writes it.
 */
export function countNeeded(answer: RecordedAssistant, log: readonly LogEntry[], prompt: RenderedPrompt): NeededCount {
  const lines = answer.calls
    .flatMap(neededLines)
    .filter((line) => log.some((entry) => shows(plainContentOf(entry), line)));
  const met = lines.filter((line) => prompt.messages.some((message) => shows(contentOf(message), line)));
  return { needed: lines.length, met: met.length };
}

function neededLines(call: RecordedCall): readonly string[] {
  if (call.name.toLowerCase() !== "edit") return [];
  return replacedTexts(call.args).flatMap((text) => longestLine(text) ?? []);
}

function replacedTexts(args: RecordedCall["args"]): readonly string[] {
  const edits = Array.isArray(args.edits) ? (args.edits as readonly unknown[]) : [args];
  return edits.flatMap((edit) => {
    const { oldText, old_string } = (typeof edit === "object" && edit !== null ? edit : {}) as Record<string, unknown>;
    const text = args === edit ? (old_string ?? oldText) : (oldText ?? old_string);
    return typeof text === "string" ? [text] : [];
  });
}

/** The first of the longest ones, trimmed; undefined where the text is blank. */
function longestLine(text: string): string | undefined {
  const longest = text
    .split("\n")
    .map((line) => line.trim())
    .reduce((best, line) => (line.length > best.length ? line : best), "");
  return longest === "" ? undefined : longest.toWellFormed();
}

function shows(text: string, line: string): boolean {
  if (text.includes(line)) return true;
  const escaped = JSON.stringify(line).slice(1, -1);
  return escaped !== line && text.includes(escaped);
}
