/**
 * A copy of plain data that shares nothing with it but its texts. Messages of Pi's branch are Pi's own objects: whoever
 * handles an event after us may change in place what he gets.
 */
export function copied<T>(value: T): T;
export function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => copied(each));
  if (typeof value !== "object" || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copied(each)]));
}
