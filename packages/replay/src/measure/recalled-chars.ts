import type { NoteEntry, PromptMessage } from "@cm/context-log";

/** How the first line of each kind of note begins, as a pattern. */
const beginnings: Readonly<Record<NoteEntry["kind"], string>> = {
  recalled: "brought back here: ",
  resumed: "found when this session was resumed:\\]",
  released: "the window is full, ",
};
const notes = new RegExp(`(${Object.keys(beginnings).join("|")})@(\\d+)`, "g");
const firstLines = new RegExp(`\n\\[cm: (?:${Object.values(beginnings).join("|")})`, "g");

/** Characters of what a result brings back, by the place that it has in the log. The line end before it counts to it. */
export function recalledChars({ id, text }: Pick<PromptMessage, "id" | "text">): ReadonlyMap<number, number> {
  const named = [...id.matchAll(notes)];
  if (named.length === 0) return new Map();
  // Foreign lines that begin so are escaped.
  const starts = [...text.matchAll(firstLines)].map(({ index }) => index);
  if (starts.length !== named.length) return new Map();
  return new Map(
    named.flatMap(([, kind, place], at) =>
      kind === "recalled" ? [[Number(place), (starts[at + 1] ?? text.length) - (starts[at] ?? 0)] as const] : [],
    ),
  );
}
