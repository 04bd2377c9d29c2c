/** Names whose values differ from run to run, and what recordings show instead. */
const varying: Readonly<Record<string, string>> = {
  queryId: "<query-id>",
  revision: "<revision>",
  estimateNumKeys: "<count>",
};

/** Times of the clock; the recordings use no other time of these years. */
const clock = /^20[2-8]\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/**
 * One text for all JSON texts that mean the same: keys sorted, numbers as they were written (1 is not 1.0, and digits
 * beyond 2^53 count), what the clock makes as `<time>`.
 */
export function canonicalJson(text: string): string {
  const value: unknown = JSON.parse(text, (key, inner: unknown, context?: { source?: string }) => {
    if (key in varying) return varying[key];
    if (typeof inner === "number") return number(context?.source ?? String(inner));
    if (typeof inner === "string" && clock.test(inner)) return "<time>";
    return isObject(inner) ? sorted(inner) : inner;
  });
  return JSON.stringify(value, null, 1);
}

/** A whole number keeps its digits; of others only the value counts. */
const number = (source: string) => (/^-?\d+$/.test(source) ? `integer ${source}` : `real ${Number(source)}`);

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const sorted = (value: object): object =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
