import { settingLimits as limits } from "./setting-limits.ts";

/** What a place in a settings file has to be, in words; a `*` stands for a model or a number in a list. */
const expected: Readonly<Record<string, string>> = {
  "": "one object in braces",
  $schema: "a text",
  off: "true or false",
  store: "a path, a URL of an XTDB node, or an object with the URLs as xtdb",
  layout: '"log" or "ssot"',
  preset: '"careful", "default" or "lean"',
  notices: '"off", "short" or "long"',
  mounts: `a list of at most ${limits.mountsMax} mounts as "agent=canonical" or "agent=canonical@id", with absolute paths and each agent path once`,
  roots: "a list of folders",
  "roots.*": "a folder's path",
  ignore: "a list of rules in gitignore syntax",
  "ignore.*": "a rule in gitignore syntax",
  openSecretFiles: "a list of rules in gitignore syntax",
  "openSecretFiles.*": "a rule in gitignore syntax",
  discover: '"none", "all" or a list of folders',
  sources: `a list of at most ${limits.sourcesMax} places, each with git, s3 or container`,
  "sources.*": 'one of {"git": folder}, {"s3": {}} and {"container": name}',
  protect: "an object with tools, paths or prompts",
  "protect.tools": "a list of names of tools",
  "protect.tools.*": "a name of a tool",
  "protect.paths": "a list of path patterns",
  "protect.paths.*": "a path pattern",
  "protect.prompts": `a whole number from 0 to ${limits.promptsMax}`,
  models: `an object of at most ${limits.modelsMax} sections such as "anthropic/claude-*"`,
  "models.*": "an object with preset, protect or notices, under the name of a model",
};

export function expectedAt(place: string): string {
  return expected[place] ?? expected[place.replace(/^models\.\*\./, "")] ?? "left out";
}

/** Lists in which a wrong entry is left aside by itself: the others mean the same without it. */
export function isListOfOwn(place: string): boolean {
  return `${place}.*` in expected || `${place.replace(/^models\.\*\./, "")}.*` in expected;
}
