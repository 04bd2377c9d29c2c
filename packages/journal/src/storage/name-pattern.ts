/** The patterns of `listFilesSync`: everything, an ending, or one name. */
export function matchesPattern(name: string, pattern: string): boolean {
  if (pattern === "*") return true;
  return pattern.startsWith("*.") ? name.endsWith(pattern.slice(1)) : name === pattern;
}
