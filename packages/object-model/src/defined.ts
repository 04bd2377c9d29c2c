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
