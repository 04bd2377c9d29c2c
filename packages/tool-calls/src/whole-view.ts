import type { JsonObject } from "@cm/object-model";
import { shellCommand } from "./shell-command.ts";

/** How the known harnesses name the part of a file that is asked for. */
const rangeKeys = `offset limit view_range viewRange start_line end_line startLine endLine line_start line_end lines
  line_range range head tail pages`.split(/\s+/);

const narrowing = /\b(?:head|tail|sed|awk)\b/;
/** What a tool says where it shows less than there is: a line at either end of its output. */
const cutSign =
  /\bmore lines?\b|\btruncated\b|\boffset ?[=:]|\blines? (?:omitted|not shown|remaining)|\bpartial view\b|[([]showing |\boutput (?:is )?too (?:long|large)/i;
const signCharsMax = 300;

/** True where a call asks for a part of a file by its lines: what it gives then is what was wanted, to the letter. */
export function asksForPart(args: JsonObject): boolean {
  if (rangeKeys.some((key) => Object.hasOwn(args, key) && args[key] !== null && args[key] !== undefined)) return true;
  return narrowing.test(shellCommand(args) ?? "");
}

/** A call with what it gave back. */
interface CallWithOutput {
  readonly args: JsonObject;
  /** Null where it is gone. */
  readonly text: string | null;
  /** Which lines of a file the output has, where that is known. */
  readonly spans: readonly { readonly start_line: number }[];
}

/** True where an output surely shows all of its file: nothing narrowed it, and no tool says that it cut it. */
export function showsWhole({ args, text, spans }: CallWithOutput): boolean {
  if (text === null || asksForPart(args) || spans.some(({ start_line }) => start_line > 1)) return false;
  return !saysCut(text);
}

/** True where a line at either end of an output says that it is not all. */
export function saysCut(text: string): boolean {
  return cutSign.test(text.slice(0, signCharsMax)) || cutSign.test(text.slice(-signCharsMax));
}
