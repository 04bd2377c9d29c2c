// Verifies: the index of words leaves out no text that has a line, and gives the parts in order of the log.
import type { ContextView, LogEntry } from "@cm/context-log";
import { createRandom } from "@cm/testkit";
import { expect, it } from "vitest";
import type { LogParts } from "../../src/policies/log-index/log-parts.ts";
import { TextPlaces } from "../../src/policies/log-index/text-places.ts";

const words = ["load", "parse", "render", "commit", "resolve", "of", "a", "session_1", "const", "window"];

it("finds every part that holds a piece of a text, and no other part twice", () => {
  const random = createRandom(19);
  const texts = Array.from({ length: 100 }, () =>
    Array.from({ length: 1 + random.below(12) }, () => words[random.below(words.length)]).join(" "),
  );
  const places = new TextPlaces();
  // In two goes, as a log grows.
  for (const count of [40, texts.length]) places.update(...logOf(texts.slice(0, count)));

  let narrowed = 0;
  for (const text of texts) {
    const start = random.below(text.length);
    const line = text.slice(start, start + 1 + random.below(text.length - start));
    const found = places.mayHold(line).map(({ at }) => at);

    expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
    expect(texts.filter((other, at) => other.includes(line) && !found.includes(at))).toEqual([]);
    if (found.length < texts.length) narrowed += 1;
  }
  expect(narrowed).toBeGreaterThan(20);
  expect(places.mayHold("x unheardof y")).toEqual([]);
});

function logOf(texts: readonly string[]): [ContextView, LogParts] {
  const log = texts.map((text, at) => ({ kind: "result", at, text }) as LogEntry);
  const parts = texts.map((_, at) => ({ object: `call-${at}`, at, key: String(at), before: at }));
  return [{ log } as unknown as ContextView, { parts } as unknown as LogParts];
}
