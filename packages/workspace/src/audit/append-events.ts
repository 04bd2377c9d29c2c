import { type GovernedEvent, parseEvent } from "@cm/governance";
import { eventObject } from "../documents/ids.ts";
import type { EventFields } from "../documents/types.ts";
import { created, type Records } from "../records/records.ts";

/**
 * Adds events to the audit in one commit; those that are there already are left as they are, and so are those whose time
 * was over.
 * @throws CmError `workspace/conflict`, or what the store throws
 */
export async function appendEvents(records: Records, events: readonly GovernedEvent[]): Promise<void> {
  const fields = new Map(events.map((event) => [eventObject(event.eventId), fieldsOf(event)]));
  await records.change(async () => {
    const known = await records.takenOf([...fields.keys()]);
    const added = [...fields].filter(([id]) => !known.has(id));
    return { writes: added.map(([id, each]) => created("governed_event", id, each)), result: undefined };
  });
}

const fieldsOf = (event: GovernedEvent): EventFields => ({
  content: null,
  workspace_id: event.workspaceId,
  session_id: event.sessionId,
  task_id: event.taskId,
  step_id: event.stepId,
  event_id: event.eventId,
  event_type: event.eventType,
  tenant_id: event.tenantId,
  user_id: event.userId,
  component: event.component,
  bounded_context: event.boundedContext,
  severity: event.severity,
  at: Date.parse(event.timestamp),
  payload: wellFormed(event.payload),
});

/** Half of a surrogate pair, as a model may say it, is in no record: one such event would hold up all behind it. */
const wellFormed = (payload: GovernedEvent["payload"]): GovernedEvent["payload"] =>
  Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [name, typeof value === "string" ? value.toWellFormed() : value]),
  );

export const eventOf = (fields: EventFields): GovernedEvent =>
  parseEvent({
    eventId: fields.event_id,
    eventType: fields.event_type,
    timestamp: new Date(fields.at).toISOString(),
    tenantId: fields.tenant_id,
    userId: fields.user_id,
    workspaceId: fields.workspace_id,
    sessionId: fields.session_id,
    taskId: fields.task_id,
    stepId: fields.step_id,
    component: fields.component,
    boundedContext: fields.bounded_context,
    severity: fields.severity,
    payload: fields.payload,
  });
