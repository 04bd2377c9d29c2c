import { readFileSync, statSync } from "node:fs";
import { checkedFields } from "./checked-fields.ts";
import { projectSchema, type SettingsFile, userSchema } from "./file-schema.ts";
import { readJson } from "./json-with-comments.ts";
import { type Problem, quoted } from "./problem.ts";
import { settingLimits as limits } from "./setting-limits.ts";

/** Whose file it is: a project's may say less. */
export type FileOwner = "user" | "project";

export interface ReadFile {
  readonly file: Partial<SettingsFile>;
  readonly problems: readonly Problem[];
}

/**
 * The file's settings. A missing file is no problem. Of a file that is no JSON nothing is used; in one that is, only
 * what is wrong is left aside.
 */
export function readSettingsFile(
  path: string,
  { owner, shown }: { readonly owner: FileOwner /** How people call it. */; readonly shown: string },
): ReadFile {
  const text = textOf(path);
  if (text === undefined) return { file: {}, problems: [] };
  if (typeof text !== "string") return unusable(`${shown} ${text.why}`);
  const json = parsed(text);
  if ("why" in json) return unusable(`${shown}, line ${json.brokenAtLine}: it is no JSON (${json.why})`);
  const where = (line: number) => `${shown}, line ${line}`;
  const repeated = json.repeated.map(
    ({ path: at, line }): Problem => ({
      said: `${where(line)}: ${quoted(at.join("."))} stands there a second time`,
      holds: "The last one holds.",
    }),
  );
  const { file, problems } = checkedFields(json, {
    schema: owner === "user" ? userSchema : projectSchema,
    where,
    elsewhere: (name) => (owner === "project" ? notOfProjects(name) : undefined),
  });
  return { file: withoutNothing(file, json.value), problems: [...repeated, ...problems] };
}

const unusable = (said: string): ReadFile => ({
  file: {},
  problems: [{ said, holds: "Nothing of the file is used." }],
});

/** Undefined where there is no file. */
function textOf(path: string): string | { readonly why: string } | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (!found.isFile()) return { why: `must be a file, and is ${found.isDirectory() ? "a folder" : "none"}` };
    if (found.size > limits.fileBytesMax) return { why: `has more than ${limits.fileBytesMax} bytes` };
    // Editors of some systems begin a file with a mark, which the decoder takes away.
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    return { why: error instanceof TypeError ? "must be text in UTF-8" : "cannot be read" };
  }
}

function parsed(text: string): ReturnType<typeof readJson> {
  try {
    return readJson(text);
  } catch {
    // The parser calls itself for each bracket.
    return { brokenAtLine: 1, why: "TooManyBrackets" };
  }
}

/** A project has other authors: it decides neither where data goes nor which files are opened. */
function notOfProjects(name: string): string | undefined {
  if (!Object.hasOwn(userSchema.shape, name)) return undefined;
  return "is not taken from a project, only from your own file, a variable or a flag";
}

/** Of what was to keep files closed nothing is left: then none is opened, rather than all. */
function withoutNothing(file: Partial<SettingsFile>, value: unknown): Partial<SettingsFile> {
  const meant = typeof value === "object" && value !== null && Object.hasOwn(value, "roots");
  return meant && file.roots === undefined ? { ...file, roots: [] } : file;
}
