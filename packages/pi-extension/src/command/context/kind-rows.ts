import type { ShownKind, ShownPart } from "@cm/render";
import { countText } from "@cm/terminal-text";
import { percentText } from "../../text/figures.ts";
import { tokenCount } from "../../text/token-count.ts";

type Kind = ShownKind | "head" | "folded";

/** What people call the kinds of text in a prompt. */
const kindNames: Readonly<Record<Kind, string>> = {
  head: "system prompt and tools",
  prompt: "your prompts",
  answer: "answers and thinking",
  thinking: "answers and thinking",
  file: "text of files",
  output: "output of commands and other tools",
  arguments: "arguments of calls",
  note: "notes on changed files",
  folded: "lines in place of folded text",
};

/** UTF-16 units by what people call their kind, the heaviest first. */
export function charsByKind(parts: readonly ShownPart[], headChars: number): readonly (readonly [string, number])[] {
  const chars = new Map<string, number>([[kindNames.head, headChars]]);
  for (const part of parts) {
    const name = kindNames[part.form === "reference" && part.kind !== "arguments" ? "folded" : part.kind];
    chars.set(name, (chars.get(name) ?? 0) + part.chars);
  }
  return [...chars].filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
}

/** `   4,120  33%  text of files`. */
export function kindRows(kinds: readonly (readonly [string, number])[]): readonly string[] {
  const all = kinds.reduce((sum, [, chars]) => sum + chars, 0);
  return kinds.map(([name, chars]) =>
    [countText(tokenCount(chars)).padStart(9), (percentText(chars, all) ?? "").padStart(4), name].join("  "),
  );
}
