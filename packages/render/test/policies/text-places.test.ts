// Verifies: the index of words leaves out no text that has a line, and gives the parts in order of the log.
import type { ContextView } from "@cm/context-log";
import { createRandom } from "@cm/testkit";
import { expect, it } from "vitest";
import { partsOf } from "../../src/policies/log-index/log-parts.ts";
import type { Part } from "../../src/policies/log-index/part.ts";
import { TextPlaces } from "../../src/policies/log-index/text-places.ts";
import { foldsNothing, Script } from "../support/script.ts";

const words = ["load", "parse", "render", "commit", "resolve", "of", "a", "session_1", "const", "window"];

it("finds every part that holds a piece of a text, and no other part twice", () => {
  const random = createRandom(19);
  const texts = Array.from({ length: 100 }, () =>
    Array.from({ length: 1 + random.below(12) }, () => words[random.below(words.length)]).join(" "),
  );
  const script = new Script(foldsNothing);
  const places = new TextPlaces();
  for (const [n, text] of texts.entries()) {
    script.call("bash", { command: `run ${n}` }, text);
    // In two goes, as a log grows.
    if (n === 40 || n === texts.length - 1) places.update(script.session.view(), partsOf(script.session.view()));
  }
  const view = script.session.view();
  const { parts } = partsOf(view);

  let narrowed = 0;
  for (const text of texts) {
    const start = random.below(text.length);
    const line = text.slice(start, start + 1 + random.below(text.length - start));
    const found = places.mayHold(line);

    expect(found).toEqual(parts.filter((part) => found.includes(part)));
    expect(parts.filter((part) => outputOf(view, part).includes(line) && !found.includes(part))).toEqual([]);
    if (found.length < texts.length) narrowed += 1;
  }
  expect(narrowed).toBeGreaterThan(20);
  expect(places.mayHold("x unheardof y")).toEqual([]);
});

/** Empty for what is no output of a call. */
function outputOf({ log }: ContextView, { at, isArgs }: Part): string {
  const entry = log[at];
  return entry?.kind === "result" && !isArgs ? (entry.text ?? "") : "";
}
