import type { CutText } from "../forms/cut-text.ts";
import type { Cut } from "./block.ts";
import { escapeText, unescapeText } from "./escape.ts";
import { field, fieldPattern, parseField } from "./field.ts";

/** The line between the two ends of a text that was cut: how much is left out, and the object that has all of it. */
const cutLine = new RegExp(`\\nleft_out chars=(\\d+)(?: attachments=(\\d+))?(?: id=${fieldPattern})?\\n`);

export function cutOf({ leftOut, tail }: CutText, id?: string): Cut {
  return { chars: leftOut, ...(id === undefined ? {} : { id }), tail };
}

/** Foreign text, whole or as its two ends. */
export function bodyText(text: string, cut?: Cut): string {
  if (cut === undefined) return escapeText(text);
  const attached = cut.attachments === undefined ? "" : ` attachments=${cut.attachments}`;
  const named = cut.id === undefined ? "" : ` id=${field(cut.id)}`;
  return `${escapeText(text)}\nleft_out chars=${cut.chars}${attached}${named}\n${escapeText(cut.tail)}`;
}

/** Reverses `bodyText`. */
export function parseBody(body: string): { readonly text: string; readonly cut?: Cut } {
  const found = body.includes("\nleft_out chars=") ? cutLine.exec(body) : null;
  if (found === null) return { text: unescapeText(body) };
  const [line, chars = "", attachments, id] = found;
  const text = unescapeText(body.slice(0, found.index));
  const tail = unescapeText(body.slice(found.index + line.length));
  const attached = attachments === undefined ? {} : { attachments: Number(attachments) };
  const named = id === undefined ? {} : { id: parseField(id) };
  return { text, cut: { chars: Number(chars), ...attached, ...named, tail } };
}
