import { limits as modelLimits } from "@cm/object-model";
import { logError } from "../errors.ts";
import type { ListQuery } from "../harness.ts";
import { limits } from "../limits.ts";

/** A query whose bounds were checked. `text` is in lower case, `from` a place in the index. */
export interface CheckedQuery extends Omit<ListQuery, "limit" | "cursor"> {
  readonly from: number;
  readonly limit: number;
}

const kinds: ReadonlySet<unknown> = new Set(["file", "toolcall"]);
const levels: ReadonlySet<unknown> = new Set(["active", "inactive", "indexed"]);

/** A query comes from an agent: what it asks for is checked before anything is looked up. @throws CmError `session/invalid-input` */
export function checkedQuery({ cursor = "0", limit = modelLimits.pageRowsMax, ...query }: ListQuery): CheckedQuery {
  const { kind, level, pinned, path, fileType, tool, text } = query;
  if (kind !== undefined && !kinds.has(kind)) throw wrong("kind is neither file nor toolcall");
  if (level !== undefined && !levels.has(level)) throw wrong("level is none of active, inactive and indexed");
  if (pinned !== undefined && typeof pinned !== "boolean") throw wrong("pinned is neither true nor false");
  for (const [name, piece] of Object.entries({ path, fileType, tool, text })) {
    if (piece !== undefined && (typeof piece !== "string" || piece.length > limits.queryCharsMax))
      throw wrong(`${name} is no text of at most ${limits.queryCharsMax} units`);
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > modelLimits.pageRowsMax)
    throw wrong(`limit is no number from 1 to ${modelLimits.pageRowsMax}`);
  if (typeof cursor !== "string" || !/^(0|[1-9][0-9]{0,9})$/.test(cursor))
    throw wrong("cursor is not the next of a page; leave it out to begin at the start");
  return { ...query, ...(text === undefined ? {} : { text: text.toLowerCase() }), from: Number(cursor), limit };
}

function wrong(what: string) {
  return logError("session/invalid-input", `The query is wrong: ${what}.`);
}
