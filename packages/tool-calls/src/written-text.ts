import type { JsonObject } from "@cm/object-model";
import { contentKeys, textOf } from "./arguments.ts";
import { singleEdits } from "./replaced-texts.ts";
import { fileAction } from "./tool-action.ts";

/** How the known harnesses name the new text of an edit. */
const newTextKeys = ["newText", "new_string", "new_str", "new_text", "newString"] as const;

/** The one text that a call writes into a file. Undefined where it writes none, or several. */
export function writtenText(tool: string, args: JsonObject): string | undefined {
  if (fileAction(tool, args).does === "other") return undefined;
  const [edit, ...others] = singleEdits(args);
  return edit === undefined || others.length > 0 ? undefined : textOf(edit, ...contentKeys, ...newTextKeys);
}
