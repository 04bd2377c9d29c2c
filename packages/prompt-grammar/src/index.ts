export type * from "./block.ts";
export { escapeForeign, escapeText, unescapeForeign, unescapeText } from "./escape.ts";
export { boundedField, field, parseField } from "./field.ts";
export type * from "./notice.ts";
export { parse } from "./parse.ts";
export { type RepeatedNotice, repeatsNotice } from "./repeats-notice.ts";
export { resumedText } from "./resumed-lines.ts";
export { activeText, poolLines, referenceLine, releasedLines } from "./ssot-lines.ts";
export { cutArgumentMark, noticeLine, readNotice } from "./wording.ts";
