import { CmError } from "@cm/object-model";
import type { Managed } from "../managed/managed.ts";

/** What the tool needs of the extension that registers it. */
export interface ToolHost {
  /** The Pi session that runs now. Undefined where none is managed. */
  managed(): Managed | undefined;
}

/** @throws CmError `pi/unavailable` where nothing is managed */
export function requireManaged(host: ToolHost): Managed {
  const managed = host.managed();
  if (managed !== undefined && managed.health.state !== "off") return managed;
  throw new CmError("pi/unavailable", "Context management is off; go on without this tool.");
}
