import type { ApprovalRecord, GovernedEvent } from "@cm/governance";
import { approvalObject } from "../documents/ids.ts";
import type { ApprovalFields } from "../documents/types.ts";
import { limits } from "../limits.ts";
import { created, type Records } from "../records/records.ts";
import { appendEvents, eventOf } from "./append-events.ts";

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
  /** A write that has not begun: it will take what is emitted until then. */
  #next: Promise<void> | undefined;

  constructor(records: Records) {
    this.#records = records;
  }

  /** Events that were given up because too many waited. */
  get lost(): number {
    return this.#lost;
  }

  /** Events that are not written yet. */
  get waiting(): number {
    return this.#waiting.length;
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
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      return this.#writeWaiting();
    });
    this.#writing = this.#next;
    await this.#writing;
    return this.#waiting.length === 0;
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, limits.batchObjectsMax);
      try {
        await appendEvents(this.#records, batch);
        const done = new Set(batch);
        this.#waiting = this.#waiting.filter((event) => !done.has(event));
      } catch {
        return;
      }
    }
  }

  /** An approval that was decided, once; saying it again changes nothing. */
  async saveApproval(record: ApprovalRecord): Promise<void> {
    const id = approvalObject(record.request.approvalId);
    await this.#records.change(async () => ({
      writes: (await this.#records.takenOf([id])).has(id) ? [] : [created("approval", id, approvalOf(record))],
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

function approvalOf({ request, decision, by, decidedAt, clientAt, decidedBy }: ApprovalRecord): ApprovalFields {
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
    decided_by: decidedBy,
  };
}
