import { defined } from "@cm/object-model";
import { lineBreaks } from "./field.ts";
import { unseenMarks } from "./unseen.ts";

/**
 * Every line of ours begins with this, stands alone on its line and ends in `]`. Foreign text that has such a line gets a
 * backslash before it; one that has backslashes there already gets one more, so that nothing is lost.
 */
export const opener = "[cm:";

const lineStart = `(^|[${lineBreaks}])`;
/** Characters that a reader may not see do not hide a beginning. */
const unseen = `(${unseenMarks})`;
const toEscape = new RegExp(`${lineStart}${unseen}(\\\\*)(?=\\[cm:)`, "gu");
const escaped = new RegExp(`${lineStart}${unseen}\\\\(\\\\*)(?=\\[cm:)`, "gu");

/** Foreign text as it may stand in a prompt; without such a line it is returned as it is. */
export function escapeForeign(text: string): string {
  return text.includes(opener) ? text.replace(toEscape, "$1$2\\$3") : text;
}

/** Reverses `escapeForeign`. */
export function unescapeForeign(text: string): string {
  return text.includes(opener) ? text.replace(escaped, "$1$2$3") : text;
}

/** A line of ours with the foreign text below it; the first piece of a text that begins otherwise has no line. */
export interface Segment {
  readonly line?: string;
  /** Unescaped. Absent where nothing stands between this line and the next one. */
  readonly text?: string;
}

/** A text as our lines and what stands between them. */
export function segmentsOf(text: string): readonly Segment[] {
  const segments: { line?: string; lines?: string[] }[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith(opener) && line.endsWith("]")) segments.push({ line });
    else if (segments.length === 0) segments.push({ lines: [line] });
    else {
      const last = segments.at(-1);
      if (last !== undefined) last.lines = [...(last.lines ?? []), line];
    }
  }
  return segments.map(({ line, lines }) => ({
    ...defined({ line }),
    ...(lines === undefined ? {} : { text: unescapeForeign(lines.join("\n")) }),
  }));
}
