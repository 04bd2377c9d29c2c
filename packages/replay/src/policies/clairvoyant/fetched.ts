import { type ContextView, newestResult } from "@cm/context-log";
import type { ContextLogStages, Part } from "@cm/render";
import type { Future } from "./future.ts";
import type { HeldLines } from "./held-lines.ts";
import { showsItsText } from "./living-parts.ts";

type Fetched = ReturnType<ContextLogStages["misses"]>;

export interface FetchFacts {
  readonly future: Future;
  readonly held: HeldLines;
  /** Lines that stand in references. */
  readonly referenced: ReadonlySet<string>;
}

/** The texts that this call replaces and that are out of view: each is brought back before it, the shortest that holds it. */
export function fetched(view: ContextView, { future, held, referenced }: FetchFacts): Fetched {
  const into = newestResult(view.log);
  if (into < 0) return [];
  const missing = [...future.lines].flatMap(([line, { calls }]) => {
    const isNeeded = calls.includes(view.step) && !referenced.has(line);
    const holders = isNeeded ? held.holdersOf(line) : [];
    return holders.some((part) => showsItsText(view, part)) ? [] : (shortest(holders) ?? []);
  });
  return [...new Set(missing)].map(({ object, isArgs, file = -1 }) => ({
    file,
    into,
    object,
    ...(isArgs ? { input: true as const } : {}),
  }));
}

/** Rather an output than arguments. */
function shortest(holders: readonly Part[]): Part | undefined {
  const known = holders.filter(({ object }) => object !== undefined);
  return known.toSorted((a, b) => Number(a.isArgs) - Number(b.isArgs) || a.chars - b.chars)[0];
}
