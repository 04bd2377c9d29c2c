import type { FileTouch } from "@cm/context-log";
import type { ToolCall } from "./recorded-touch.ts";

const picture = /^Read image file \[image\/[\w.+-]{1,64}\]/;
const overlong = /^\[Line \d+ is [^\n]{1,200} limit\. Use bash: [^\n]*\]$/;
const cutShort = /\n\n\[Showing lines \d+-(\d+) of \d+(?: \([^()\n]{1,40}\))?\. Use offset=\d+ to continue\.\]$/;
const moreLines = /\n\n\[\d+ more lines in file\. Use offset=\d+ to continue\.\]$/;
const endCharsMax = 256;

/**
 * The lines that a read of Pi's showed: without an end where it reached that of the file, undefined where it showed none
 * (a picture, a first line over the limit, `limit` 0). What was cut is said by the details, and by a remark where an
 * extension took them away.
 */
export function spanOfRead({ args, details, text }: Pick<ToolCall, "args" | "details" | "text">): FileTouch["span"] {
  const startLine = Math.max(1, Math.floor(numberOf(args.offset) ?? 1));
  const limit = numberOf(args.limit);
  if (picture.test(text) || overlong.test(text) || (limit !== undefined && limit < 1)) return undefined;
  const end = text.slice(-endCharsMax);
  const cut = cutOf(details);
  const shown = cut === undefined ? cutShort.exec(end)?.[1] : undefined;
  const endLine =
    cut !== undefined
      ? startLine + cut - 1
      : shown !== undefined
        ? Number(shown)
        : limit !== undefined && moreLines.test(end)
          ? startLine + Math.floor(limit) - 1
          : undefined;
  if (endLine === undefined) return { startLine };
  return endLine < startLine ? undefined : { startLine, endLine };
}

/** Lines that were left of a text that Pi cut: `details.truncation`. */
function cutOf(details: unknown): number | undefined {
  const truncation = fieldOf(details, "truncation");
  if (fieldOf(truncation, "truncated") !== true) return undefined;
  const lines = fieldOf(truncation, "outputLines");
  return typeof lines === "number" && Number.isSafeInteger(lines) && lines >= 0 ? lines : undefined;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
}

/** As Pi does: a number that came as text is one. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
