/**
 * A deep, frozen copy of JSON data, so that a holder of the original cannot change what was hashed. It says what
 * canonical JSON says: undefined members are left out, and -0 is 0. The hash of the value has bounded the depth.
 */
export function frozenCopy<T>(value: T): T {
  return copyOf(value) as T;
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(copyOf));
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    // `fromEntries` makes an own property of a key named `__proto__`; an assignment would not.
    return Object.freeze(Object.fromEntries(members.map(([key, member]) => [key, copyOf(member)])));
  }
  return value === 0 ? 0 : value;
}
