/** The start of a hash, as much as people compare. */
export function shortHash(hash: string): string {
  return hash.slice(0, 12);
}
