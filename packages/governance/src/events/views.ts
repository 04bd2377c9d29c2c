import type { GovernedEvent } from "./event.ts";
import { kindOf } from "./event-kinds.ts";

/** What goes to the audit: all of it. */
export const auditView = (event: GovernedEvent): GovernedEvent => event;

/** The same envelope, with a payload that cannot carry a user's content. */
export type TelemetryEvent = GovernedEvent;

export interface KnownNames {
  /** Names of tools, models, rules and the like that come from the program or its policy, and so may be told. */
  readonly names: ReadonlySet<string>;
}

const otherName = "(other)";

/**
 * What goes to telemetry: ids, counts, flags and choices. Texts are left out, and so is what an event says beyond its
 * kind. A name that is not known may be of a model's or a user's making, and becomes `(other)`.
 */
export function telemetryView(event: GovernedEvent, { names }: KnownNames): TelemetryEvent {
  const payload: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(kindOf(event.eventType).fields)) {
    const value = event.payload[key];
    if (value === undefined || field.kind === "text") continue;
    payload[key] = field.kind === "name" && !names.has(String(value)) ? otherName : value;
  }
  return { ...event, payload };
}
