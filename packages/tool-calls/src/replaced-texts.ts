import type { JsonObject } from "@cm/object-model";
import { isObject, listOf, textOf } from "./arguments.ts";

/** How the known harnesses name the text that an edit replaces, whatever the tool's name. */
const sureKeys = ["oldText", "old_string", "old_str", "old_text", "oldString"] as const;
/** These names mean replaced text only in a tool that is known to edit. */
const editorKeys = [...sureKeys, "old", "search", "find", "old_content"] as const;
const blockKeys = ["diff", "content", "blocks"] as const;
const editLists = ["edits", "replacements", "operations"] as const;

const sure: ReadonlySet<string> = new Set(sureKeys);

/** Whether an argument of this name holds a text that an edit replaces, in any tool. */
export const isReplacedText = (key: string): boolean => sure.has(key);

/** The single edits of a call: the members of its list, else the call itself. */
export function singleEdits(args: JsonObject): readonly JsonObject[] {
  const edits = listOf(args, ...editLists);
  return edits.length === 0 ? [args] : edits.filter(isObject);
}

/** The texts that an edit says it replaces, in order; empty texts and lines named by number say nothing. */
export function replacedTexts(edit: JsonObject, isEditor: boolean): readonly string[] {
  const nested = isObject(edit.replace) ? textOf(edit.replace, ...sureKeys) : undefined;
  const replaced = textOf(edit, ...(isEditor ? editorKeys : sureKeys)) ?? nested;
  if (replaced !== undefined) return [replaced];
  return isEditor ? searchedTexts(textOf(edit, ...blockKeys) ?? "") : [];
}

const opens = /^[-<]{3,} ?SEARCH>?$/;
const divides = /^={5,}$/;
const closes = /^[+>]{3,} ?REPLACE>?$/;
/** Roo puts the line's number above the searched text. */
const heading = /^:(?:start|end)_line: ?\d+$/;
const underlines = /^-{5,}$/;

/**
 * What the SEARCH/REPLACE blocks of a text search for, as Cline, Roo and aider write them. A block without its end is
 * none. One pass over the lines.
 */
function searchedTexts(text: string): readonly string[] {
  if (!text.includes("SEARCH")) return [];
  const texts: string[] = [];
  let searched: string[] | undefined;
  let isDivided = false;
  for (const line of text.split(/\r?\n/)) {
    const mark = line.length > markCharsMax ? line : line.trimEnd();
    if (opens.test(mark)) {
      searched = [];
      isDivided = false;
    } else if (searched === undefined) {
    } else if (isDivided) {
      if (!closes.test(mark)) continue;
      texts.push(searched.join("\n"));
      searched = undefined;
    } else if (divides.test(mark)) isDivided = true;
    else if (!(isHeading(mark) && searched.length === 0)) searched.push(line);
  }
  return texts;
}

const isHeading = (line: string): boolean => heading.test(line) || underlines.test(line);

/** A mark is a short line; longer ones are text and are not trimmed to look. */
const markCharsMax = 200;
