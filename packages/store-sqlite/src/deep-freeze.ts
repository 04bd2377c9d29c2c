/**
 * Freezes where it stands what is nobody else's: just parsed, or come from another thread. Its depth was bounded when it
 * was written.
 */
export function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === "object" && member !== null) deepFreeze(member);
  return Object.freeze(value);
}
