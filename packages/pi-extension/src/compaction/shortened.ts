/** The middle goes, since both ends say most; never half a sign. */
export function shortened(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const mark = `\n[${text.length - charsMax} more characters]\n`;
  const room = Math.max(0, charsMax - mark.length);
  const head = text.slice(0, Math.ceil((room * 2) / 3));
  const tail = text.slice(text.length - Math.floor(room / 3));
  return `${withoutHalfAtEnd(head)}${mark}${withoutHalfAtStart(tail)}`;
}

const withoutHalfAtEnd = (text: string): string => text.replace(/[\uD800-\uDBFF]$/, "");
const withoutHalfAtStart = (text: string): string => text.replace(/^[\uDC00-\uDFFF]/, "");
