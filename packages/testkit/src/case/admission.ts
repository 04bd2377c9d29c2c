/** What a factory gave is no subject of the suite at all: one sentence, in place of every law failing in its own way. */
export class NotAdmittedError extends TypeError {
  override readonly name = "NotAdmittedError";
}

/**
 * Refuses what lacks the methods of a contract.
 * @throws NotAdmittedError that names what is missing
 */
export function mustHave(what: string, given: unknown, methods: readonly string[]): void {
  const members = (typeof given === "object" || typeof given === "function") && given !== null ? given : undefined;
  const missing = methods.filter(
    (method) => members === undefined || typeof Reflect.get(members, method) !== "function",
  );
  if (members !== undefined && missing.length === 0) return;
  const lacks = members === undefined ? `is ${given === null ? "null" : typeof given}` : `has no ${listed(missing)}`;
  throw new NotAdmittedError(`What the factory gives is no ${what}: it ${lacks}. It needs ${listed(methods)}.`);
}

function listed(names: readonly string[]): string {
  return names.map((name) => `${name}()`).join(", ");
}
