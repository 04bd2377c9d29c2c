import {
  type ApprovalAnswer,
  ApprovalGate,
  type ApprovalGateOptions,
  type ApprovalRecord,
  type ApprovalRequest,
  type AskedFor,
} from "@cm/governance";
import type { AuditLog } from "@cm/workspace";
import { serverError } from "../errors.ts";
import type { AuditSpool } from "./audit-spool.ts";
import type { EventLog } from "./event-log.ts";

export interface Owner {
  readonly tenantId: string;
  readonly userId: string;
}

export interface AskedApproval extends AskedFor {
  readonly owner: Owner;
  /** What the person who decides sees of the call. */
  readonly tool: string;
  readonly callId: string;
}

/** An approval that waits, with what its caller shows of it. */
export interface WaitingApproval extends ApprovalRequest {
  readonly tool: string;
  readonly callId: string;
}

export interface ApprovalsOptions extends ApprovalGateOptions {
  readonly audit: Pick<AuditLog, "saveApproval">;
  readonly events: EventLog;
  /** Where a decision lies until it is written. */
  readonly spool?: AuditSpool | undefined;
  readonly fault: (what: string, error: unknown) => void;
}

/** Calls that wait for a person, all that this server knows. Each decision is recorded; no tool waits for that. */
export class Approvals {
  readonly #gate: ApprovalGate;
  readonly #options: ApprovalsOptions;
  readonly #about = new Map<string, { readonly tool: string; readonly callId: string; readonly owner: Owner }>();
  #saving: Promise<void> = Promise.resolve();

  constructor(options: ApprovalsOptions) {
    this.#options = options;
    this.#gate = new ApprovalGate(options);
  }

  ask(asked: AskedApproval): { readonly request: WaitingApproval; readonly decided: Promise<ApprovalRecord> } {
    const { tool, callId, owner } = asked;
    const { request, decided } = this.#gate.ask(asked);
    const { approvalId, chain, capability, risk, rule, summary, expiresAt } = request;
    this.#about.set(approvalId, { tool, callId, owner });
    const named = {
      approvalId,
      ...{ callId, toolName: tool, capability, risk },
      ...(rule === undefined ? {} : { approvalRuleId: rule.approvalRuleId }),
    };
    const facts = { chain, ...owner, component: "ApprovalService" as const };
    this.#options.events.say("approval_requested", { ...facts, payload: { ...named, summary, expiresAt } });
    void decided.then((record) => {
      this.#about.delete(approvalId);
      const { decision, by, clientAt, decidedAt, decidedBy } = record;
      const latencyMs = Math.max(0, decidedAt - request.requestedAt);
      // Who reads it asks first what was decided, and by whom.
      const payload = {
        ...{ decision, by },
        ...(decidedBy === null ? {} : { decidedBy }),
        ...{ ...named, latencyMs },
        ...(clientAt === null ? {} : { clientAt: Math.max(0, clientAt) }),
      };
      this.#options.events.say("approval_resolved", { ...facts, payload });
      this.#save(record);
    });
    return { request: { ...request, tool, callId }, decided };
  }

  /** @throws CmError `server/not-found` for one that was answered, whose time is over, or that never was */
  answer(approvalId: string, answer: ApprovalAnswer): ApprovalRecord {
    const record = this.#gate.answer(approvalId, answer);
    if (record !== undefined) return record;
    throw serverError(
      "server/not-found",
      "No call waits for that approval, or no longer; look at the list of those that do.",
    );
  }

  /** Whether a call waits here for it. */
  isWaiting(approvalId: string): boolean {
    return this.#about.has(approvalId);
  }

  end(ended: { readonly sessionId: string; readonly taskId?: string }): void {
    this.#gate.end(ended);
  }

  waiting(sessionId?: string): readonly WaitingApproval[] {
    return this.#gate.waiting().flatMap((request) => {
      const about = this.#about.get(request.approvalId);
      const isMeant = sessionId === undefined || request.chain.sessionId === sessionId;
      return about === undefined || !isMeant ? [] : [{ ...request, tool: about.tool, callId: about.callId }];
    });
  }

  /** What was decided is written, or has failed. */
  saved(): Promise<void> {
    return this.#saving;
  }

  #save(record: ApprovalRecord): void {
    const { audit, fault, spool } = this.#options;
    spool?.hold({ approval: record });
    this.#saving = this.#saving.then(async () => {
      try {
        await audit.saveApproval(record);
        spool?.release();
      } catch (error) {
        fault(`The approval ${record.request.approvalId} could not be recorded.`, error);
      }
    });
  }
}
