import type { JsonObject } from "@cm/object-model";
import { isObject, listOf, textOf } from "./arguments.ts";
import { searchedTexts } from "./search-blocks.ts";

/** These names mean replaced text in any tool; the others only in a tool that is known to edit. */
const sureKeys = ["oldText", "old_string", "old_str", "old_text", "oldString"] as const;
const editorKeys = [...sureKeys, "old", "search", "find", "old_content"] as const;
const blockKeys = ["diff", "content", "blocks"] as const;
const editLists = ["edits", "replacements", "operations"] as const;

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
