import { contextToolName } from "@cm/context-tool";
import { type RepeatedNotice, repeatsNotice } from "@cm/prompt-grammar";
import { fileAction, fileActions } from "@cm/tool-calls";

/** Values of a call that name a file, or say what is there already. */
const notNew = /^(?:(?:file|notebook)?_?path|file_?name|old_?(?:text|string|str|content)|search|pattern)$/i;

/** Arguments that nest deeper than this are none of a tool's that changes files. */
const depthMax = 8;

/** One of Pi's calls, before it runs. */
export interface AskedCall {
  readonly toolName: string;
  readonly input: unknown;
}

/**
 * Why a call must not run: it would write one of our notices into a file in place of the text, or a text that ends where
 * we had cut it. Models imitate what stands in their history. Undefined for every other call; never throws, since Pi
 * would block the call then, and asks no session and no database.
 */
export function refusedCall({
  toolName,
  input,
}: AskedCall): { readonly block: true; readonly reason: string } | undefined {
  try {
    if (toolName === contextToolName || !isRecord(input)) return undefined;
    const isCommand = isShell(toolName, input);
    if (!isCommand && !changesFiles(toolName, input)) return undefined;
    for (const text of newTexts(input, 0)) {
      const repeated = repeatsNotice(text);
      // A command may speak of notices; one that was cut is none.
      if (repeated !== undefined && (!isCommand || repeated.as === "cut"))
        return { block: true, reason: reasonFor(repeated) };
    }
  } catch {
    // Not ours to judge.
  }
  return undefined;
}

type Arguments = Parameters<typeof fileAction>[1];

function isShell(tool: string, args: Arguments): boolean {
  const action = fileAction(tool, args);
  return action.does === "other" && action.what === "command";
}

function changesFiles(tool: string, args: Arguments): boolean {
  return fileActions(fileAction(tool, args)).some(({ does }) => does === "edit" || does === "write");
}

function* newTexts(value: unknown, depth: number): Generator<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null || depth > depthMax) return;
  for (const [key, each] of Object.entries(value)) if (!notNew.test(key)) yield* newTexts(each, depth + 1);
}

function reasonFor({ as, name }: RepeatedNotice): string {
  const what =
    as === "cut" ? "ends in a notice where text was left out" : "is a notice of Context Manager, not content";
  const get = name === undefined ? "find what it stands for" : `get it with ${contextToolName} show ${name}`;
  return `Not run: what it would write ${what}; ${get}, then call this tool again with the whole text.`;
}

const isRecord = (value: unknown): value is Arguments =>
  typeof value === "object" && value !== null && !Array.isArray(value);
