import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { limits } from "../limits.ts";

/** One side of a comparison. */
export interface DiffSide {
  readonly name: string;
  readonly text: string;
}

/** The lines that changed, as `diff -u` writes them; empty where the texts are equal. */
export function unifiedDiff(from: DiffSide, to: DiffSide): string {
  if (from.text === to.text) return "";
  const patch = createTwoFilesPatch(from.name, to.name, from.text, to.text, undefined, undefined, {
    context: limits.diffContextLines,
    headerOptions: FILE_HEADERS_ONLY,
    maxEditLength: limits.diffEditsMax,
  });
  return patch ?? replaced(from, to);
}

/** Texts with next to nothing in common: everything goes, everything comes. */
function replaced(from: DiffSide, to: DiffSide): string {
  const lines = (text: string) => text.replace(/\n$/, "").split("\n");
  const [before, after] = [lines(from.text), lines(to.text)];
  return [
    `--- ${from.name}`,
    `+++ ${to.name}`,
    `@@ -1,${before.length} +1,${after.length} @@`,
    ...before.map((line) => `-${line}`),
    ...after.map((line) => `+${line}`),
    "",
  ].join("\n");
}
