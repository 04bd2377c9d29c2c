import type { PromptMessage } from "@cm/context-log";

const notes = /(recalled|resumed|released)@(\d+)/g;
const firstLines = /\n\[cm: (?:brought back here: |while this session was away:\]|the window is full, )/g;

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
