import { canonicalJson, type JsonObject, limits } from "@cm/object-model";

/** Arguments that say best what a call is about, over the tools of common harnesses, in order of preference. */
const telling = ["path", "file_path", "filePath", "command", "pattern", "query", "url", "description", "prompt"];

/** `args_display` (SSOT 2.5): one bounded line that tells a person what the call was about. */
export function argsDisplay(args: JsonObject): string | undefined {
  const named = telling.map((name) => (Object.hasOwn(args, name) ? args[name] : undefined)).find(isText);
  const text = named ?? (Object.keys(args).length === 0 ? "" : canonicalJson(args));
  const line = oneLine(text);
  return line === "" ? undefined : line;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** Control characters, separators and marks that change reading direction become spaces. */
function oneLine(text: string): string {
  const line = text
    .slice(0, limits.argsDisplayCharsMax * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const bound = limits.argsDisplayCharsMax;
  return (line.length > bound ? `${line.slice(0, bound - 1)}…` : line).toWellFormed();
}
