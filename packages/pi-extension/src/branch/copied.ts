/**
 * A copy of plain data that shares nothing with it but its texts. Messages of Pi's branch are Pi's own objects: a
 * reader that handles an event after us may change in place what he gets.
 */
export function copied<T>(value: T): T;
export function copied(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => copied(each));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  // The copy of one level is as fast as V8 can; each request copies the whole branch.
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const each = copy[key];
    if (typeof each === "object" && each !== null) copy[key] = copied(each);
  }
  return copy;
}
