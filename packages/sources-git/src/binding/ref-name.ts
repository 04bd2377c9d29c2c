import { limits } from "../limits.ts";

/** What `git check-ref-format` forbids anywhere in a name: control characters, and what means something in a revision. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|^[-/.]|[/.]$/;

const objectId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** A name of a ref, in full or short, `HEAD`, or a full object id. Nothing else of git's revision syntax is one. */
export function isRef(text: string): boolean {
  return (
    text !== "" && text.length <= limits.refCharsMax && text !== "@" && text.isWellFormed() && !forbidden.test(text)
  );
}

export function isObjectId(text: string): boolean {
  return objectId.test(text);
}

/**
 * The full names that a ref may stand for, in git's order of precedence. A short name is never handed to git itself:
 * git would also read it as an abbreviated id or as the output of `git describe`.
 */
export function fullNamesOf(ref: string): readonly string[] {
  if (ref === "HEAD" || isObjectId(ref)) return [];
  if (ref.startsWith("refs/")) return [ref];
  return [`refs/${ref}`, `refs/tags/${ref}`, `refs/heads/${ref}`, `refs/remotes/${ref}`, `refs/remotes/${ref}/HEAD`];
}
