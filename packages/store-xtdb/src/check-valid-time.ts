import type { CheckedCommit } from "@cm/object-model";
import { storeError } from "./errors.ts";
import { firstValidTime, lastValidTime } from "./limits.ts";

/** @throws CmError `store/limit` for valid times that XTDB cannot keep apart or write */
export function checkValidTime(commit: CheckedCommit): CheckedCommit {
  const { validTimeMs } = commit;
  if (validTimeMs === undefined) return commit;
  if (validTimeMs >= firstValidTime.getTime() && validTimeMs <= lastValidTime.getTime()) return commit;
  throw storeError("store/limit", "The valid time lies outside the years 1583 to 9999; give one within them.", {
    limit: "validTime",
    actual: validTimeMs,
    bound: (validTimeMs < 0 ? firstValidTime : lastValidTime).getTime(),
  });
}
