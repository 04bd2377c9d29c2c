/**
 * Freezes in place a value that has no other owner: freshly parsed, or received from another thread. Its depth was
 * checked when it was written.
 */
export function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === "object" && member !== null) deepFreeze(member);
  return Object.freeze(value);
}
