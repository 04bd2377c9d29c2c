import { type PoolSummary, type PoolSummaryRow, type PromptMessage, sha256 } from "@cm/object-model";
import type { PoolBlock } from "../blocks/block.ts";
import { boundedField } from "../blocks/field.ts";
import { moreBlockOf } from "../blocks/folders.ts";
import { poolLine } from "../blocks/pool-lines.ts";

const made = new WeakMap<PoolSummary, PromptMessage>();

/** The pool on top of a prompt, once everything was rewritten (design 7.8). Undefined where it says nothing. */
export function summaryMessage(summary: PoolSummary | undefined): PromptMessage | undefined {
  if (summary === undefined) return undefined;
  const known = made.get(summary);
  if (known !== undefined) return known;
  const text = summaryBlocks(summary).map(poolLine).join("\n");
  if (text === "") return undefined;
  const message: PromptMessage = {
    id: `summary~${sha256(text).slice(0, 16)}`,
    role: "user",
    text,
    chars: text.length,
  };
  made.set(summary, message);
  return message;
}

export function summaryBlocks({ rows, folders = [] }: PoolSummary): readonly PoolBlock[] {
  return [...rows.map(rowBlock), ...folders.map(moreBlockOf)];
}

function rowBlock(row: PoolSummaryRow): PoolBlock {
  const id = boundedField(row.alias);
  const state = row.textless === undefined ? {} : { textless: row.textless };
  if (row.kind === "toolcall") {
    return { kind: "pool-toolcall", id, tool: boundedField(row.tool ?? ""), status: row.status ?? "ok", ...state };
  }
  const path = boundedField(row.path ?? "");
  return { kind: "pool-file", id, path, ...(row.charCount ? { charCount: row.charCount } : {}), ...state };
}
