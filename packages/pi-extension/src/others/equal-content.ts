import type { PiMessage } from "../pi/pi-types.ts";

/** Whether two messages say the same to a model. A long branch has thousands at each request. */
export function hasEqualContent(one: PiMessage, other: PiMessage): boolean {
  if (one === other) return true;
  if (one.role !== other.role) return false;
  if (one.role === "toolResult" && other.role === "toolResult" && one.isError !== other.isError) return false;
  if ("content" in one && "content" in other) return isSameContent(one.content ?? [], other.content ?? []);
  return isEqual({ ...one, timestamp: 0 }, { ...other, timestamp: 0 });
}

function isSameContent(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return isEqual(one, other);
  if (one.length !== other.length) return false;
  for (let place = 0; place < one.length; place += 1) if (!isSameBlock(one[place], other[place])) return false;
  return true;
}

/** Nearly all blocks are texts: of these only what is sent is looked at, since each look at all keys takes longer. */
function isSameBlock(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other;
  if (one.type !== "text" || other.type !== "text") return isEqual(one, other);
  return one.text === other.text && one.textSignature === other.textSignature;
}

/** Of plain data. A key without a value is no key. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  for (const key in one) if (!isEqual(one[key], other[key])) return false;
  for (const key in other) if (other[key] !== undefined && !(key in one)) return false;
  return true;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
