import { limits } from "../limits.ts";

const names = ["path", "file_path", "filePath", "notebook_path", "command", "cmd", "pattern", "query", "url"];

/**
 * What a call was about: a path, the start of a command, as one line; undefined where its arguments do not say.
 *
 * @param shown what may be shown of the whole text, such as without its secrets; a cut one would be no known shape
 */
export function callTarget(
  args: Readonly<Record<string, unknown>>,
  shown: (text: string) => string = (text) => text,
): string | undefined {
  const values = names.map((name) => (Object.hasOwn(args, name) ? args[name] : undefined));
  const target = values.find((value) => typeof value === "string" && value !== "");
  if (typeof target !== "string") return undefined;
  const line = shown(target).replace(/\s+/g, " ").trim();
  return line.slice(0, limits.targetCharsMax).toWellFormed();
}
