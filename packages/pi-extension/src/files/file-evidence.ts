import { spanOfRead } from "./read-span.ts";
import type { ToolCall } from "./recorded-touch.ts";
import { stripToolRemarks } from "./strip-tool-remarks.ts";

/** What one call says of the text of the file that it names. */
export type FileEvidence =
  | { /** All of it. */ readonly whole: string }
  | { /** Lines of it. */ readonly part: string }
  | { /** It is another one than before; which one is not said. */ readonly changed: string };

/** Some tools put a number before each line: that is no text of the file. */
const numbered = /^\s*\d+[\t:|→]/;

/**
 * Pi's tools alone, and others of their names: of other outputs it is unknown whether they are the whole file. A
 * read is whole where it asked for no part, nothing was cut, and no picture came with it.
 */
export function fileEvidenceOf(call: ToolCall, as: "read" | "edited" | "discovered"): FileEvidence | undefined {
  const { tool, args, text } = call;
  if (as === "discovered") return undefined;
  if (as === "edited") {
    const written = tool === "write" ? args.content : undefined;
    return typeof written === "string" && isText(written) ? { whole: written } : { changed: JSON.stringify(args) };
  }
  if (tool !== "read" || text === "" || !isText(text)) return undefined;
  const lines = text.split("\n", 2);
  if (lines.every((line) => numbered.test(line))) return undefined;
  const span = spanOfRead(call);
  if (span === undefined) return undefined;
  const isWhole = args.offset === undefined && args.limit === undefined && span.endLine === undefined;
  // A file may end as a remark does: then the outcome is unknown.
  return isWhole && stripToolRemarks(text) === text.trimEnd() ? { whole: text } : { part: stripToolRemarks(text) };
}

/** Bytes that are none of a text come out of a tool as replacement characters. */
const isText = (text: string): boolean => text.isWellFormed() && !/[\0\uFFFD]/.test(text);
