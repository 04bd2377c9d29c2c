import type { Textless } from "@cm/context-log";
import type { ActiveBlock, PoolBlock, ReferenceBlock, ReleasedBlock } from "./block.ts";
import { escapeText } from "./escape.ts";
import { lineOf, linesOf, maybe, number, oneOf, type Piece, text, texts, words } from "./line.ts";

/** The formats of SSOT 4.1, each written and read by one description. */

/** Why an object has no text, as a line of ours says it in brackets at its end. */
const textlessWords = {
  unread: "unread",
  deleted: "deleted",
  binary: "binary",
  too_large: "too large",
  unreachable: "unreachable",
  erased: "erased",
  missing: "missing",
} as const satisfies Record<Textless, string>;

/** ` [unread]`, or nothing where there is a text. */
export const stateMark = <Name extends string>(name: Name): Piece<Name> => maybe` [${oneOf(name, textlessWords)}]`;

const status = oneOf("status", { ok: "ok", fail: "fail" });
const marks = words`${maybe` redactions=${number("redactions")}`}${stateMark("textless")}`;

/** One object of the pool; what the budget left out stands by folder (decision 62), with what lists it. */
export const poolLines = linesOf<PoolBlock>({
  "pool-more": words`not_shown count=${number("count")}${maybe` below=${text("below")}`}; cm_context list`,
  "pool-file": words`id=${text("id")} type=file path=${text("path")} file_type=${text("fileType")} char_count=${number("charCount")}${marks}`,
  "pool-toolcall": words`id=${text("id")} type=toolcall tool=${text("tool")} status=${status}${marks}`,
});

export const referenceLine = lineOf<Pick<ReferenceBlock, "id" | "tool" | "status">>(
  words`toolcall_ref id=${text("id")} tool=${text("tool")} status=${status}`,
);

export const activeHeader = lineOf<Pick<ActiveBlock, "id" | "state">>(
  words`ACTIVE_CONTENT id=${text("id")}${stateMark("state")}`,
);

export function activeText({ text, ...header }: ActiveBlock): string {
  const line = activeHeader.write(header);
  return text === null ? line : `${line}\n${escapeText(text)}`;
}

/** The notice of pins that a window forced out: one line, then the objects' names with single blanks between them. */
export const releasedLines = lineOf<Omit<ReleasedBlock, "kind">>(
  words`pins_released${maybe` omitted=${number("omitted")}`}\n${texts("ids")}`,
);
