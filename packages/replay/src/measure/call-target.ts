import { limits } from "../limits.ts";

const names = ["path", "file_path", "filePath", "notebook_path", "command", "cmd", "pattern", "query", "url"];

/** What a call was about: a path, the start of a command, as one line; undefined where its arguments do not say. */
export function callTarget(args: Readonly<Record<string, unknown>>): string | undefined {
  const values = names.map((name) => (Object.hasOwn(args, name) ? args[name] : undefined));
  const target = values.find((value) => typeof value === "string" && value !== "");
  if (typeof target !== "string") return undefined;
  const line = target.replace(/\s+/g, " ").trim();
  return line.slice(0, limits.targetCharsMax).toWellFormed();
}
