import { discoveryLimits } from "../limits.ts";

const position = /:\d{1,7}(?::\d{1,7})?:?$|\(\d{1,7}(?:,\d{1,7})?\)$|#L\d{1,7}$/;
const wordBreak = /[\s"'`<>|;,(){}[\]=*?\p{Cc}]+/u;
const quoted = /"([^"\n]{1,1024})"|'([^'\n]{1,1024})'|`([^`\n]{1,1024})`/g;
const extension = /[^/.]\.[A-Za-z]\w{0,11}$/;
const dotted = /^(?:\.{1,2}\/)|\//;

/** The words of a line that look like paths: with a slash, or a name with an extension. Quotes may hold spaces. */
export function pathWords(line: string): readonly string[] {
  const words = line.split(wordBreak);
  for (const match of line.matchAll(quoted)) {
    const inside = match[1] ?? match[2] ?? match[3] ?? "";
    if (inside.includes(" ") && inside.includes("/")) words.push(inside);
  }
  return words.flatMap((word) => {
    const path = cleanPath(word);
    return path !== undefined && (dotted.test(path) || extension.test(path)) ? [path] : [];
  });
}

/** A word as a path: without `@` in front, position and punctuation behind; undefined for addresses and options. */
function cleanPath(word: string): string | undefined {
  if (word.length > discoveryLimits.pathCharsMax || word.includes("://")) return undefined;
  const path = withoutMarks(withoutMarks(word.replace(/^@(?=[\w./~])/, "")).replace(position, ""));
  if (!/[\p{L}\p{N}_]/u.test(path) || path.startsWith("-") || path.startsWith("~") || path.startsWith("//"))
    return undefined;
  return path.includes("\u0000") || path.includes("\\n") ? undefined : path;
}

/** A loop, because a pattern for what stands at the end is tried at every place. */
function withoutMarks(word: string): string {
  let end = word.length;
  while (end > 0 && ".,:;!".includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}
