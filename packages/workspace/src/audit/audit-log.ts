import { type ApprovalRecord, type GovernedEvent, parseEvent } from "@cm/governance";
import { isCmError } from "@cm/object-model";
import { approvalObject, eventObject } from "../documents/ids.ts";
import type { ApprovalFields, EventFields } from "../documents/types.ts";
import { limits } from "../limits.ts";
import { created, type Records } from "../records/records.ts";

export interface AuditPage {
  readonly events: readonly GovernedEvent[];
  readonly next?: string;
}

/** Events and approvals, appended and never changed. What is emitted waits here, and no step waits for it. */
export class AuditLog {
  readonly #records: Records;
  #waiting: GovernedEvent[] = [];
  #lost = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(records: Records) {
    this.#records = records;
  }

  /** Events that were given up because too many waited. */
  get lost(): number {
    return this.#lost;
  }

  /** Never throws and never waits. */
  emit(event: GovernedEvent): void {
    this.#waiting.push(event);
    if (this.#waiting.length > limits.waitingEventsMax) {
      this.#waiting.shift();
      this.#lost += 1;
    }
  }

  /** Writes what waits. Whether all of it is written; what is not waits on. */
  async flush(): Promise<boolean> {
    this.#writing = this.#writing.then(() => this.#writeWaiting());
    await this.#writing;
    return this.#waiting.length === 0;
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, limits.batchObjectsMax);
      try {
        const events = new Map(batch.map((event) => [eventObject(event.eventId), fieldsOf(event)]));
        const known = await this.#records.getMany("governed_event", [...events.keys()]);
        const writes = [...events]
          .filter(([id]) => !known.has(id))
          .map(([id, fields]) => created("governed_event", id, fields));
        if (writes.length > 0) await this.#records.store.commit(writes);
        const done = new Set(batch);
        this.#waiting = this.#waiting.filter((event) => !done.has(event));
      } catch (error) {
        if (!isCmError(error, "store/conflict")) return;
      }
    }
  }

  /** An approval that was decided, once; saying it again changes nothing. */
  async saveApproval(record: ApprovalRecord): Promise<void> {
    const id = approvalObject(record.request.approvalId);
    if ((await this.#records.get("approval", id)) !== undefined) return;
    await this.#records.change(async () => ({
      writes:
        (await this.#records.get("approval", id)) === undefined ? [created("approval", id, approvalOf(record))] : [],
      result: undefined,
    }));
  }

  /** Newest first, a page at a time: of one session, between two moments in milliseconds, the second one not included. */
  async bySession(
    sessionId: string,
    page: { readonly from?: number; readonly to?: number; readonly limit?: number; readonly cursor?: string } = {},
  ): Promise<AuditPage> {
    const { from = 0, to = Number.POSITIVE_INFINITY, ...rest } = page;
    const { rows, next } = await this.#records.find(
      "governed_event",
      { session_id: sessionId },
      { ...rest, order: "newest" },
    );
    const events = rows
      .filter(({ fields }) => fields.at >= from && fields.at < to)
      .map(({ fields }) => eventOf(fields));
    const isPast = rows.some(({ fields }) => fields.at < from);
    return next === undefined || isPast ? { events } : { events, next };
  }

  async approvalsOf(sessionId: string): Promise<readonly ApprovalFields[]> {
    const { rows } = await this.#records.find("approval", { session_id: sessionId }, { order: "newest" });
    return rows.map(({ fields }) => fields);
  }
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
  payload: event.payload,
});

const eventOf = (fields: EventFields): GovernedEvent =>
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

function approvalOf({ request, decision, by, decidedAt, clientAt }: ApprovalRecord): ApprovalFields {
  const { workspaceId, sessionId, taskId, stepId } = request.chain;
  return {
    content: null,
    workspace_id: workspaceId,
    session_id: sessionId,
    task_id: taskId,
    step_id: stepId,
    approval_id: request.approvalId,
    capability: request.capability,
    risk: request.risk,
    approval_rule_id: request.rule?.approvalRuleId ?? null,
    decision,
    by,
    requested_at: request.requestedAt,
    decided_at: decidedAt,
    client_at: clientAt,
  };
}
