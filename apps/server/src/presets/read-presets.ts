import { readFileSync, statSync } from "node:fs";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import type { z } from "zod";
import { serverError } from "../errors.ts";
import { limits } from "../limits.ts";
import { deferredOf } from "../tools/deferred-tools.ts";
import { type Preset, presetsSchema } from "./preset-schema.ts";

/** The agents that a server runs, by name. */
export interface Presets {
  readonly names: readonly string[];
  /** @throws CmError `server/unknown-preset`; without a name the default one */
  get(name?: string): { readonly name: string; readonly preset: Preset };
  /** Folders of a workspace. @throws CmError `server/unknown-folder` */
  workspace(name: string): readonly string[];
}

/** Reads the file of presets: JSON, with comments. @throws CmError `server/presets`, in words that name the place */
export function readPresets(path: string): Presets {
  let text: string;
  try {
    if (statSync(path).size > limits.presetsBytesMax)
      throw faulty(path, `has more than ${limits.presetsBytesMax} bytes`);
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw serverError(
      "server/presets",
      `The presets ${path} cannot be read; name a file with --presets.`,
      { path },
      { cause: error },
    );
  }
  return parsePresets(text, path);
}

/** @throws CmError `server/presets` */
export function parsePresets(text: string, path: string): Presets {
  const problems: ParseError[] = [];
  const value: unknown = parse(text, problems, { allowTrailingComma: true });
  const [problem] = problems;
  if (problem !== undefined) {
    const line = text.slice(0, problem.offset).split("\n").length;
    throw faulty(path, `is no JSON: ${printParseErrorCode(problem.error)} in line ${line}`);
  }
  const read = presetsSchema.safeParse(value);
  if (!read.success) throw faulty(path, `is wrong: ${sentenceOf(read.error)}`);
  const { presets, workspaces, default: first } = read.data;
  const names = Object.keys(presets);
  if (names.length === 0 || names.length > limits.presetsMax) throw faulty(path, "has no preset, or too many");
  checkReferences(path, presets, first);
  return presetsOf(presets, workspaces, first ?? (names.length === 1 ? names[0] : undefined));
}

function checkReferences(path: string, presets: Readonly<Record<string, Preset>>, first: string | undefined): void {
  if (first !== undefined && presets[first] === undefined)
    throw faulty(path, `names the default ${first}, which it has not`);
  for (const [name, { subagents, tools, approve }] of Object.entries(presets)) {
    const missing = subagents.find(({ preset }) => presets[preset] === undefined);
    if (missing !== undefined)
      throw faulty(
        path,
        `has a subagent ${missing.name} of ${name} with the preset ${missing.preset}, which is not there`,
      );
    const named = tools.map((tool) => (typeof tool === "string" ? tool : tool.name));
    const twice = named.find((tool, place) => named.indexOf(tool) !== place);
    if (twice !== undefined) throw faulty(path, `names the tool ${twice} of ${name} twice`);
    const unknown = approve.find((tool) => !named.includes(tool));
    if (unknown !== undefined) throw faulty(path, `asks for approvals of ${unknown}, which is no tool of ${name}`);
    const bodiless = deferredOf(tools).find((tool) => approve.includes(tool.name));
    if (bodiless !== undefined)
      throw faulty(
        path,
        `asks for approvals of ${bodiless.name} of ${name}, which has no body here: its calls wait for who brings their results anyway; leave it out of approve`,
      );
  }
}

function presetsOf(
  presets: Readonly<Record<string, Preset>>,
  workspaces: Readonly<Record<string, readonly string[]>>,
  first: string | undefined,
): Presets {
  const names = Object.keys(presets);
  return {
    names,
    get(asked) {
      const name = asked ?? first;
      if (name === undefined)
        throw serverError("server/unknown-preset", `A request must name a preset: ${names.slice(0, 10).join(", ")}.`);
      const preset = Object.hasOwn(presets, name) ? presets[name] : undefined;
      if (preset === undefined)
        throw serverError(
          "server/unknown-preset",
          `There is no preset of that name; known: ${names.slice(0, 10).join(", ")}.`,
        );
      return { name, preset };
    },
    workspace(name) {
      const folders = Object.hasOwn(workspaces, name) ? workspaces[name] : undefined;
      if (folders === undefined) throw serverError("server/unknown-folder", "There is no workspace of that name.");
      return folders;
    },
  };
}

/** Places and what is wrong there, without values. */
const sentenceOf = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join(".") || "the file"}: ${message}`)
    .join("; ");

const faulty = (path: string, what: string) =>
  serverError("server/presets", `The file of presets ${path} ${what}.`, { path });
