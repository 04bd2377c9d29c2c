import { CmError, isCmError } from "@cm/object-model";
import type { Managed } from "../managed/managed.ts";
import { visibleLine } from "../text/visible-line.ts";
import { toolLimits } from "./tool-limits.ts";

/** What the tools need of the extension that registers them. */
export interface ToolHost {
  /** The Pi session that runs now. Undefined where none is managed. */
  managed(): Managed | undefined;
}

/** @throws CmError `pi/unavailable` where nothing is managed */
export function managedOf(host: ToolHost): Managed {
  const managed = host.managed();
  if (managed !== undefined && managed.health.state !== "off") return managed;
  throw new CmError("pi/unavailable", "Context management is off; go on without this tool.");
}

/** A fault as the model reads it. Only our own messages are known to hold no content. */
export function faultText(error: unknown): string {
  const message = isCmError(error) ? error.message : "The context store failed; go on without this tool.";
  return visibleLine(message, toolLimits.reasonCharsMax);
}
