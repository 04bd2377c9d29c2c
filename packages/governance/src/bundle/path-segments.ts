import { limits } from "../limits.ts";

const drive = /^[A-Za-z]:[\\/]/;

/**
 * The root and the segments of an absolute path, `.` and `..` taken out by their names: `/a/b` and `C:\a\b`, whose names
 * ignore case. Undefined for what is no such path, or no text that every system reads alike.
 */
export function pathSegments(path: string): readonly string[] | undefined {
  if (path.length > limits.pathCharsMax || path.includes("\0") || !path.isWellFormed()) return undefined;
  if (drive.test(path)) {
    const [root = "", ...names] = path.toLowerCase().split(/[\\/]/);
    // `name:stream` is within the file of that name.
    return names.some((name) => name.includes(":")) ? undefined : collapsed(root, names);
  }
  return path.startsWith("/") ? collapsed("/", path.split("/")) : undefined;
}

function collapsed(root: string, names: readonly string[]): readonly string[] {
  const result = [root];
  for (const name of names) {
    if (name === "" || name === ".") continue;
    if (name !== "..") result.push(name);
    else if (result.length > 1) result.pop();
  }
  return result;
}

/**
 * A name as filesystems compare names that ignore case, forms of letters, signs without a width, or dots and spaces at the
 * end. Names that differ in this form are different files everywhere.
 */
export function foldedName(name: string): string {
  if (/^[ -~]*[!-\-/-~]$/.test(name)) return name.toLowerCase();
  const visible = name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  const folded = visible.toUpperCase().toLowerCase().normalize("NFKC");
  return folded.replace(/[. ]+$/, "") || folded;
}
