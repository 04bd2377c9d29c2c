import type { PiToolResult } from "../pi/pi-types.ts";
import { isImage, isText, textIn } from "./text-of-version.ts";

type Content = PiToolResult["content"];

/** How a message that others changed stands in a prompt. */
export interface Rendered {
  /** As the prompt has it: in full, with lines of ours around it, or folded. */
  readonly text: string;
  /** The prompt shows its pictures. */
  readonly hasPictures: boolean;
  /** The prompt was made of what others left. */
  readonly isTold: boolean;
}

/**
 * The content of a message that others changed: theirs, block for block, where its text stands in full, with lines of
 * ours around it. Where it is folded, the prompt's line, if that was made of what they left; else theirs.
 */
export function versionContent(content: unknown, { text, hasPictures, isTold }: Rendered): Content {
  const blocks = blocksIn(content);
  const around = aroundOf(text, textIn(content).toWellFormed());
  if (around !== undefined) return withAround(blocks, around);
  if (!isTold) return blocks;
  return [{ type: "text", text }, ...(hasPictures ? blocks.filter(isImage) : [])];
}

function blocksIn(content: unknown): Content {
  // Blocks of others may be of kinds that are not known here; Pi gets them as they are.
  if (Array.isArray(content)) return content as Content;
  return typeof content === "string" ? [{ type: "text", text: content }] : [];
}

interface Around {
  readonly before: string;
  readonly behind: string;
}

/** Whole lines of the prompt around a text that it has in full. */
function aroundOf(text: string, full: string): Around | undefined {
  if (full === "") return { before: text, behind: "" };
  const from = text.indexOf(full);
  const end = from + full.length;
  const isOwnLines = (from === 0 || text[from - 1] === "\n") && (end === text.length || text[end] === "\n");
  return from === -1 || !isOwnLines ? undefined : { before: text.slice(0, from), behind: text.slice(end) };
}

function withAround(blocks: Content, { before, behind }: Around): Content {
  if (before === "" && behind === "") return blocks;
  const first = blocks.findIndex(isText);
  if (first === -1) return [{ type: "text", text: before + behind }, ...blocks];
  const last = blocks.findLastIndex(isText);
  return blocks.map((block, place) => {
    if (!isText(block)) return block;
    return { ...block, text: (place === first ? before : "") + block.text + (place === last ? behind : "") };
  });
}
