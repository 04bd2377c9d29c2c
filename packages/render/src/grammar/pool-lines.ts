import { defined } from "@cm/object-model";
import type { PoolBlock, PoolMoreBlock, PoolObjectBlock } from "./block.ts";
import { field, fieldPattern, parseField } from "./field.ts";
import { stateMark, textlessNamed, textlessPattern } from "./textless.ts";

/** One object of the pool, one line (SSOT 4.1); what the budget left out stands by folder (decision 62). */
export function poolLine(block: PoolBlock): string {
  if (block.kind === "pool-more") return moreLine(block);
  const redactions = block.redactions === undefined ? "" : ` redactions=${block.redactions}`;
  return `id=${field(block.id)} ${poolObjectText(block)}${redactions}${stateMark(block.textless)}`;
}

function poolObjectText(block: PoolObjectBlock): string {
  if (block.kind === "pool-toolcall") return `type=toolcall tool=${field(block.tool)} status=${block.status}`;
  return `type=file path=${field(block.path)} file_type=${field(block.fileType)} char_count=${block.charCount}`;
}

/** Begins with the name of the tool that shows them. */
function moreLine({ count, below }: PoolMoreBlock): string {
  return `list_objects count=${count}${below === undefined ? "" : ` below=${field(below)}`}`;
}

const marks = `(?: redactions=(\\d+))?(?: \\[(${textlessPattern})\\])?`;
const fileLine = new RegExp(
  `^id=${fieldPattern} type=file path=${fieldPattern} file_type=${fieldPattern} char_count=(\\d+)${marks}$`,
);
const toolcallLine = new RegExp(`^id=${fieldPattern} type=toolcall tool=${fieldPattern} status=(ok|fail)${marks}$`);
const moreObjects = new RegExp(`^list_objects count=(\\d+)(?: below=${fieldPattern})?$`);

/** Reverses `poolLine`; undefined for any other line. */
export function parsePoolLine(line: string): PoolBlock | undefined {
  const [, count, below] = moreObjects.exec(line) ?? [];
  if (count !== undefined) {
    return { kind: "pool-more", count: Number(count), ...(below === undefined ? {} : { below: parseField(below) }) };
  }
  return parseFile(line) ?? parseToolcall(line);
}

function parseFile(line: string): PoolObjectBlock | undefined {
  const [, id, path = "", fileType = "", charCount, redactions, textless] = fileLine.exec(line) ?? [];
  if (id === undefined) return undefined;
  return {
    kind: "pool-file",
    id: parseField(id),
    path: parseField(path),
    fileType: parseField(fileType),
    charCount: Number(charCount),
    ...marksOf(redactions, textless),
  };
}

function parseToolcall(line: string): PoolObjectBlock | undefined {
  const [, id, tool = "", status, redactions, textless] = toolcallLine.exec(line) ?? [];
  if (id === undefined) return undefined;
  return {
    kind: "pool-toolcall",
    id: parseField(id),
    tool: parseField(tool),
    status: status === "fail" ? "fail" : "ok",
    ...marksOf(redactions, textless),
  };
}

function marksOf(
  redactions: string | undefined,
  textless: string | undefined,
): Pick<PoolObjectBlock, "redactions" | "textless"> {
  const state = textlessNamed(textless);
  return {
    ...(redactions === undefined ? {} : { redactions: Number(redactions) }),
    ...defined({ textless: state }),
  };
}
