import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const live = join(import.meta.dirname, "..");

/** Writes a file below `live`, a value that is no text as JSON. */
export function put(path, content) {
  const text = typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`;
  mkdirSync(dirname(join(live, path)), { recursive: true });
  writeFileSync(join(live, path), text);
}

/** One answer of the scripted model that calls tools. */
export const says = (text, ...calls) => ({ text, calls: calls.map(([tool, args]) => ({ tool, args })) });
export const read = (path) => ["read", { path }];
export const edit = (path, oldText, newText) => ["edit", { path, edits: [{ oldText, newText }] }];
