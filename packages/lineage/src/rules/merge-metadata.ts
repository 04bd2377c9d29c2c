export type Metadata = Readonly<Record<string, unknown>>;

/** A shallow merge: a member of the patch replaces the one of its name, and null removes it. */
export function mergeMetadata(old: Metadata, patch: Metadata): Metadata {
  const merged = new Map(Object.entries(old));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else if (value !== undefined) merged.set(name, value);
  }
  return Object.fromEntries(merged);
}
