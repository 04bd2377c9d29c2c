/** The regular expressions that stand in a source file as literals. Enough of a reader for our own formatted code. */
export function regexLiterals(code: string): readonly string[] {
  const found: string[] = [];
  let last = "";
  for (let at = 0; at < code.length; ) {
    const end = skipped(code, at);
    if (end > at) {
      if (!/^\/[/*]/.test(code.slice(at, at + 2))) last = '"';
      at = end;
      continue;
    }
    const char = code.charAt(at);
    if (char === "/" && /[(=:,[!&|?{};>]|^$/.test(last)) {
      const close = endOfRegex(code, at);
      found.push(code.slice(at + 1, close));
      last = "/";
      at = close + 1;
      continue;
    }
    if (/\S/.test(char)) last = char;
    at += 1;
  }
  return found;
}

/** Behind a comment or string that begins here, else the same place. Templates count up to their first expression. */
function skipped(code: string, at: number): number {
  if (code.startsWith("//", at)) return orEnd(code, code.indexOf("\n", at));
  if (code.startsWith("/*", at)) return code.indexOf("*/", at) + 2;
  const quote = code.charAt(at);
  if (!`"'\``.includes(quote) || quote === "") return at;
  let end = at + 1;
  while (end < code.length && code.charAt(end) !== quote) end += code.charAt(end) === "\\" ? 2 : 1;
  return end + 1;
}

function endOfRegex(code: string, at: number): number {
  let inClass = false;
  let end = at + 1;
  while (inClass || code.charAt(end) !== "/") {
    const char = code.charAt(end);
    if (char === "[") inClass = true;
    if (char === "]") inClass = false;
    end += char === "\\" ? 2 : 1;
  }
  return end;
}

function orEnd(code: string, at: number): number {
  return at < 0 ? code.length : at;
}

interface Group {
  /** Whether something in it repeats a number of times that the text decides. */
  varies: boolean;
}

/** Whether a group that repeats holds something that repeats: then a text may be matched in very many ways. */
export function hasNestedRepeat(source: string): boolean {
  const groups: Group[] = [{ varies: false }];
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === "\\") at += source.startsWith("\\p{", at) ? source.indexOf("}", at) - at : 1;
    else if (char === "[") at = endOfClass(source, at);
    else if (char === "(") groups.push({ varies: false });
    else if (char === ")") {
      const closed = groups.pop() ?? { varies: false };
      const repeat = repeatAt(source, at + 1);
      if (closed.varies && repeat > 1) return true;
      const outer = groups.at(-1);
      if (outer !== undefined && closed.varies) outer.varies = true;
    }
    const top = groups.at(-1);
    if (top !== undefined && repeatAt(source, at + 1) > 1 && char !== "(") top.varies = true;
  }
  return false;
}

function endOfClass(source: string, at: number): number {
  let end = at + 1;
  while (source.charAt(end) !== "]") end += source.charAt(end) === "\\" ? 2 : 1;
  return end;
}

/** How often what stands before may repeat at most; 1 for no quantifier, a fixed count or `?`. */
function repeatAt(source: string, at: number): number {
  const [, star, least, comma, most] = /^(?:([*+])|\{(\d+)(,)?(\d+)?\})/.exec(source.slice(at)) ?? [];
  if (star !== undefined) return Number.POSITIVE_INFINITY;
  if (least === undefined) return 1;
  return comma === undefined ? 1 : most === undefined ? Number.POSITIVE_INFINITY : Number(most);
}
