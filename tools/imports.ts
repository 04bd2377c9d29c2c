import { isBuiltin } from "node:module";

/** `import … from "x"`, `export … from "x"` and `import "x"`, at the start of a line as the formatter leaves them. */
const statement = /^[ \t]*(?:import|export)\b(?:[^"'`;]*?\bfrom)?\s*["']([^"']+)["']/gm;
/** `import("x")`, in code and in types, and `require("x")`. */
const call = /\b(?:import|require)\(\s*["']([^"']+)["']/g;

/** The module specifiers that a source text or declaration file names. No parser: TypeScript 7 offers none. */
export function importsOf(text: string): string[] {
  const found = [...text.matchAll(statement), ...text.matchAll(call)].flatMap(([, specifier]) => specifier ?? []);
  return [...new Set(found)];
}

/** `@scope/name/inner` belongs to package `@scope/name`; Node's own modules and relative paths belong to none. */
export function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith(".") || isBuiltin(specifier)) return undefined;
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
