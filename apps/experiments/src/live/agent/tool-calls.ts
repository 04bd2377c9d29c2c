import { contextToolName } from "@cm/context-tool";
import type { JsonObject } from "@cm/object-model";
import { z } from "zod";
import { limits } from "../limits.ts";

const path = z.string().min(1);
const line = z.int().min(1).optional();

/** Arguments of each tool, as `live/tools.json` declares them to the model. */
const argsOf = {
  read: z.strictObject({ path, offset: line, limit: line }),
  ls: z.strictObject({ path: path.default(".") }),
  grep: z.strictObject({ pattern: z.string().min(1).max(limits.patternCharsMax), path: path.optional(), limit: line }),
  edit: z.strictObject({
    path,
    edits: z.array(z.strictObject({ oldText: z.string().min(1), newText: z.string() })).min(1),
  }),
  write: z.strictObject({ path, content: z.string() }),
  bash: z.strictObject({ command: z.string().min(1), timeout: z.number().positive().optional() }),
} as const;

/** Tools that a model works with. That of its context joins them. */
export type LiveToolName = keyof typeof argsOf;
export const liveToolNames = Object.keys(argsOf) as readonly LiveToolName[];

type ArgsOf<Name extends LiveToolName> = z.infer<(typeof argsOf)[Name]>;
/** A call whose arguments were checked. */
export type LiveToolCall = { readonly [Name in LiveToolName]: { name: Name; args: ArgsOf<Name> } }[LiveToolName];

const isToolName = (name: string): name is LiveToolName => Object.hasOwn(argsOf, name);

/** The call, or a sentence for the model that says what is wrong with it. */
export function toToolCall(tool: string, args: JsonObject): LiveToolCall | { readonly problem: string } {
  if (!isToolName(tool))
    return { problem: `There is no tool of this name. Known: ${[...liveToolNames, contextToolName].join(", ")}.` };
  const read = argsOf[tool].safeParse(args);
  if (read.success) return { name: tool, args: read.data } as LiveToolCall;
  const issues = read.error.issues.map(({ path: place, message }) => `${place.join(".") || "arguments"}: ${message}`);
  return { problem: `The arguments of ${tool} are wrong: ${issues.slice(0, 5).join("; ")}.` };
}
