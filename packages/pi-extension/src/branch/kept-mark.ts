/** What stands beside a model's summary in a compaction of ours begins so. */
export const keptMark = "\n\n---\n\n# Beside this summary, kept by Context Manager\n\n";

/** A model's summary alone: what stands beside it is made anew each time. */
export function withoutKept(summary: string): string {
  const at = summary.lastIndexOf(keptMark);
  return at === -1 ? summary : summary.slice(0, at);
}
