/** The members of which the value is not undefined: an optional member is absent, and never undefined. */
export type Defined<T extends object> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * Members for an object, without those that are undefined: `{ id, ...defined({ note, at }) }` in place of a condition for
 * each. What stands for an optional member of a contract is left out, since an absent member is no undefined one.
 */
export function defined<T extends object>(members: T): Defined<T> {
  const kept: Partial<Record<string, unknown>> = {};
  for (const name in members) if (members[name] !== undefined) kept[name] = members[name];
  return kept as object as Defined<T>;
}

/**
 * Members for an object, without those that are undefined or hold nothing: `{ id, ...nonEmpty({ calls, note }) }` leaves
 * out an empty list and an empty text.
 */
export function nonEmpty<T extends Readonly<Record<string, string | readonly unknown[] | undefined>>>(
  members: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: Partial<Record<string, unknown>> = {};
  for (const name in members) if ((members[name]?.length ?? 0) > 0) kept[name] = members[name];
  return kept as object as { [K in keyof T]?: Exclude<T[K], undefined> };
}
