import type { ActiveBlock, ReferenceBlock } from "./block.ts";
import { escapeText } from "./escape.ts";
import { field } from "./field.ts";
import { stateMark } from "./textless.ts";

/** The formats of SSOT 4.1, one function a line. What they write, `parse` reads back. */

export function activeText({ id, state, text }: ActiveBlock): string {
  const header = `ACTIVE_CONTENT id=${field(id)}${stateMark(state)}`;
  return text === null ? header : `${header}\n${escapeText(text)}`;
}

export function referenceText({ id, tool, status }: ReferenceBlock): string {
  return `toolcall_ref id=${field(id)} tool=${field(tool)} status=${status}`;
}
