import type { ActiveBlock, ReferenceBlock } from "./block.ts";
import { bodyText } from "./cut-lines.ts";
import { escapeText } from "./escape.ts";
import { field } from "./field.ts";
import { stateMark } from "./textless.ts";

/** The formats of SSOT 4.1, one function a line. What they write, `parse` reads back. */

export function activeText(block: ActiveBlock): string {
  const header = `ACTIVE_CONTENT id=${field(block.id)}${stateMark(block.state)}`;
  return block.text === null ? header : `${header}\n${bodyText(block.text, block.cut)}`;
}

export function referenceText(block: ReferenceBlock): string {
  const fields = [`toolcall_ref id=${field(block.id)}`];
  if (block.tool !== undefined) fields.push(`tool=${field(block.tool)}`);
  if (block.status !== undefined) fields.push(`status=${block.status}`);
  if (block.files !== undefined) fields.push(`files=${field(block.files)}`);
  if (block.sameAs !== undefined) fields.push(`same_as=${field(block.sameAs)}`);
  if (block.diffFrom !== undefined) fields.push(`diff_from=${field(block.diffFrom)}`);
  if (block.chars !== undefined) fields.push(`chars=${block.chars}`);
  const header = `${fields.join(" ")}${stateMark(block.state)}`;
  if (block.diff !== undefined) return `${header}\n${escapeText(block.diff)}`;
  const names = block.names === undefined ? [] : [block.names.map(field).join(" ")];
  const lines = (block.lines ?? []).map((line) => `${keptLineMark}${escapeText(line)}`);
  return [header, ...names, ...lines].join("\n");
}

/** Begins a kept line: no field begins so, and nothing of ours. */
export const keptLineMark = "| ";
