import { commentLine, exportedNames, listed } from "./source-text.ts";

/** The comment that the agent first puts into a file. */
export function headComment(path: string, text: string): string {
  const names = exportedNames(text);
  return comment(path, `Exports: ${names.length > 0 ? listed(names) : "nothing"}`);
}

/** How it is worded later: never a text that holds the first wording. */
export function countedComment(path: string, text: string): string {
  const names = exportedNames(text);
  return comment(path, `${names.length} exported${names.length > 0 ? `: ${listed(names)}` : ""}`);
}

function comment(path: string, text: string): string {
  return commentLine(path, text) ?? text;
}
