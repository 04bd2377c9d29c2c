/**
 * JSON that the store wrote into an attribute. `undefined` for anything else: what a parser says of a text may quote it, so
 * nothing of that goes further.
 */
export function storedJson(value: unknown): unknown {
  if (typeof value !== "string") return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The same, where it is a list; an empty one for anything else. */
export function storedList(value: unknown): readonly unknown[] {
  const list = storedJson(value);
  return Array.isArray(list) ? list : [];
}
