import { ruleLimits } from "../limits.ts";

/**
 * A line of the rule file in a folder as a line that says the same from the top. `folder` is relative to the top, with
 * a slash at its end, or empty. Undefined for blank lines, comments and what can match nothing.
 */
export function fromTop(line: string, folder: string): string | undefined {
  if (line.startsWith("#") || line.length > ruleLimits.ruleCharsMax) return undefined;
  const isNegative = line.startsWith("!");
  const body = withoutTrailingSpaces(isNegative ? line.slice(1) : line);
  if (body === "" || body === "/") return undefined;
  const bounded = fewGlobstars(body);
  // A re-inclusion that we cannot take at its word is none: more stays closed, not less.
  if (bounded.isWider && isNegative) return undefined;
  return `${isNegative ? "!" : ""}${anchored(bounded.body, folder)}`;
}

/** The line that names exactly this folder, relative to the top, with a slash at its end. */
export function exactly(folder: string): string {
  return `/${literal(folder)}`;
}

function anchored(body: string, folder: string): string {
  if (folder === "") return body;
  const place = exactly(folder);
  const slash = body.indexOf("/");
  const isAnchored = slash >= 0 && slash < body.length - 1;
  if (!isAnchored) return body.startsWith("**") ? `${place}${body.replace(/^\*+/, "**/*")}` : `${place}**/${body}`;
  return place + (body.startsWith("/") ? body.slice(1) : body);
}

function literal(path: string): string {
  return path.replace(/[\\*?[\]]/g, "\\$&");
}

/** Git drops spaces at the end unless a backslash quotes them. */
function withoutTrailingSpaces(body: string): string {
  let end = body.length;
  while (end > 0 && body[end - 1] === " ") end -= 1;
  let quotes = 0;
  while (body[end - 1 - quotes] === "\\") quotes += 1;
  return quotes % 2 === 1 && end < body.length ? body.slice(0, end + 1) : body.slice(0, end);
}

/**
 * Each `**` multiplies the ways in which a path can be laid over a rule. Several in a row say no more than one. Of
 * many, the part before the first and the part after the last remain: they name all that the rule does, and more.
 */
function fewGlobstars(body: string): { readonly body: string; readonly isWider: boolean } {
  const isGlobstar = (part: string | undefined) => part !== undefined && /^\*{2,}$/.test(part);
  const whole = body.split("/");
  if (whole.filter(isGlobstar).length <= ruleLimits.globstarsPerRuleMax) return { body, isWider: false };
  const parts = whole.filter((part, n) => !isGlobstar(part) || !isGlobstar(whole[n - 1]));
  if (parts.filter(isGlobstar).length <= ruleLimits.globstarsPerRuleMax)
    return { body: parts.join("/"), isWider: false };
  const wide = [
    ...parts.slice(0, parts.findIndex(isGlobstar) + 1),
    ...parts.slice(parts.findLastIndex(isGlobstar) + 1),
  ];
  return { body: wide.join("/"), isWider: true };
}
