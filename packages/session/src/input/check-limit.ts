import { sessionError } from "../errors.ts";
import { limits } from "../limits.ts";

/** @throws CmError `session/invalid-input` */
export function checkLimit(limit: keyof typeof limits, actual: number): void {
  const bound = limits[limit];
  if (actual <= bound) return;
  throw sessionError("session/invalid-input", `What was handed in passes ${limit} (${bound}); hand it in in parts.`, {
    limit,
    actual,
    bound,
  });
}
