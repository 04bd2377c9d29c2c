import type { LeveledObject } from "@cm/context-log";
import type { Managed } from "../managed/managed.ts";
import { commandLimits } from "./command-limits.ts";

/** All that the session met, up to a bound. */
export async function allObjects(
  managed: Managed,
): Promise<{ readonly objects: readonly LeveledObject[]; readonly isWhole: boolean }> {
  const objects: LeveledObject[] = [];
  let cursor: string | undefined;
  do {
    const page = await managed.list(cursor === undefined ? {} : { cursor });
    objects.push(...page.objects);
    cursor = page.next;
  } while (cursor !== undefined && objects.length < commandLimits.objectsCountedMax);
  return { objects, isWhole: cursor === undefined };
}
