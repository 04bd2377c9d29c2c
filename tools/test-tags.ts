import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import { root } from "./workspace.ts";

const typesOnly = /^import type [^;]*;$/gm;
const importsByPath = new Map<string, readonly string[]>();

function imports(path: string): readonly string[] {
  const known = importsByPath.get(path);
  if (known !== undefined) return known;
  const read = importsOf(readFileSync(`${root}/${path}`, "utf8").replaceAll(typesOnly, ""));
  importsByPath.set(path, read);
  return read;
}

/** The files and the modules that a file leads to, as far as paths lead: what a package does is the package's own. */
function reachedFrom(path: string, reached = new Set<string>()): Set<string> {
  reached.add(path);
  for (const specifier of imports(path)) {
    const next = specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : specifier;
    if (reached.has(next)) continue;
    if (next.endsWith(".ts") && existsSync(`${root}/${next}`)) reachedFrom(next, reached);
    else reached.add(next);
  }
  return reached;
}

/** The imports of a test file determine its needs; the first fitting need is the file's tag. */
const needs: readonly (readonly [tag: string, module: RegExp])[] = [
  ["browser", /^playwright-core$/],
  ["pi", /^(?:packages\/scripted-models\/src\/(?:drive|home|pi|real-pi)\b|@cm\/scripted-models\/real-pi$)/],
  ["xtdb", /^(?:xtdb\/(?:launch|vitest)\/|@cm\/xtdb-node)/],
  ["process", /^(?:node:child_process|@cm\/private-postgres(?:\/vitest)?|tools\/s3-server\/.*|.*\/s3-world\.ts)$/],
];

/** The tag that a test file has to carry, if any. `path` is relative to the root, with `/`. */
export function tagNeededBy(path: string): string | undefined {
  const reached = [...reachedFrom(path)];
  const starts = (module: string) => module !== "node:child_process" || reached.some(startsPrograms);
  return needs.find(([, module]) => reached.some((name) => module.test(name) && starts(name)))?.[0];
}

/** They can start programs, and are led to by many tests that have none started. */
const seldomUsed = ["tools/workspace.ts", "packages/testkit/src/processes/run-writer.ts"];

function startsPrograms(path: string): boolean {
  return path.endsWith(".ts") && !seldomUsed.includes(path) && imports(path).includes("node:child_process");
}
