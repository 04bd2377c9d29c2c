import { CmError } from "@cm/object-model";
import type { Managed } from "../managed/managed.ts";
import type { Steering } from "../managed/steering.ts";

/** @throws CmError `pi/unavailable` under a layout that folds nothing */
export function requireSteering({ steering }: Managed): Steering {
  if (steering !== undefined) return steering;
  throw new CmError("pi/unavailable", 'Nothing is folded in this session: the setting "layout" is "ssot".');
}
