export type { RawObject } from "@cm/journal";

import type { RawObject } from "@cm/journal";

export function isRawObject(value: unknown): value is RawObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
