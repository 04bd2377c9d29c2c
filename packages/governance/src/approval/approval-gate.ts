import { defined } from "@cm/object-model";
import type { ApprovalRule } from "../bundle/policy-bundle.ts";
import type { RiskLevel } from "../check/action.ts";
import { failure } from "../errors.ts";
import type { StepChain } from "../id-chain.ts";
import { limits } from "../limits.ts";

/** Time as the gate is told it, so that tests and runtimes decide what five minutes are. */
export interface ApprovalClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs it once, after so many milliseconds; the result takes it back. */
  after(milliseconds: number, run: () => void): () => void;
}

/** What is asked of a person: made, id and all, before the person is told. */
export interface ApprovalRequest {
  readonly approvalId: string;
  readonly chain: StepChain;
  readonly capability: string;
  readonly risk: RiskLevel;
  readonly rule?: ApprovalRule;
  /** What it is about, for the person who decides. */
  readonly summary: string;
  readonly requestedAt: number;
  /** From then on no answer counts. */
  readonly expiresAt: number;
}

/** What was decided, and when by the clocks of both sides. */
export interface ApprovalRecord {
  readonly request: ApprovalRequest;
  readonly decision: "approved" | "denied";
  /** Without an answer it is denied; `ended`: what asked ended first. */
  readonly by: "answer" | "silence" | "ended";
  readonly decidedAt: number;
  /** The time at the one who answered, where that was told. */
  readonly clientAt: number | null;
  /** Who answered; null without an answer, or without a known name. */
  readonly decidedBy: string | null;
}

export interface ApprovalAnswer {
  readonly decision: "approved" | "denied";
  readonly clientAt?: number;
  /** Who answers, as the program knows them. */
  readonly decidedBy?: string;
}

export interface PendingApproval {
  readonly request: ApprovalRequest;
  /** Resolves once: with the answer, after silence, or when what asked ends. It never rejects. */
  readonly decided: Promise<ApprovalRecord>;
}

export type AskedFor = Pick<ApprovalRequest, "chain" | "capability" | "risk" | "rule" | "summary">;

export interface ApprovalGateOptions {
  readonly clock: ApprovalClock;
  /** A fresh id, as `id-chain` takes them. */
  readonly newId: () => string;
}

type Decided = Pick<ApprovalRecord, "decision" | "by" | "clientAt" | "decidedBy">;

interface Waiting {
  readonly request: ApprovalRequest;
  readonly settle: (record: ApprovalRecord) => void;
  readonly stopClock: () => void;
}

/** What waits for a person. Each approval waits for itself: other tools go on meanwhile. */
export class ApprovalGate {
  readonly #clock: ApprovalClock;
  readonly #newId: () => string;
  readonly #waiting = new Map<string, Waiting>();

  constructor({ clock, newId }: ApprovalGateOptions) {
    this.#clock = clock;
    this.#newId = newId;
  }

  /** @throws CmError `governance/limit` where `approvalsWaitingMax` wait already */
  ask(asked: AskedFor): PendingApproval {
    const bound = limits.approvalsWaitingMax;
    if (this.#waiting.size >= bound) {
      const data = { limit: "approvalsWaitingMax", actual: this.#waiting.size + 1, bound };
      throw failure("governance/limit", `${bound} approvals wait already; have some of them answered.`, data);
    }
    const requestedAt = this.#clock.now();
    const { chain, capability, risk, rule, summary } = asked;
    const request: ApprovalRequest = Object.freeze({
      approvalId: this.#newId(),
      ...{ chain, capability, risk, summary },
      ...defined({ rule }),
      requestedAt,
      expiresAt: requestedAt + limits.approvalWaitMs,
    });
    const { promise: decided, resolve: settle } = Promise.withResolvers<ApprovalRecord>();
    const { approvalId } = request;
    const silence = () => void this.#close(approvalId, unanswered("silence"));
    const stopClock = this.#clock.after(limits.approvalWaitMs, silence);
    this.#waiting.set(approvalId, { request, settle, stopClock });
    return { request, decided };
  }

  /** Undefined, "not found": no call waits under this id, no longer or never. */
  answer(approvalId: string, { decision, clientAt, decidedBy }: ApprovalAnswer): ApprovalRecord | undefined {
    const waiting = this.#waiting.get(approvalId);
    if (waiting === undefined) return undefined;
    // A timer may be late, and an answer that comes before it is so, too.
    if (this.#clock.now() >= waiting.request.expiresAt) {
      this.#close(approvalId, unanswered("silence"));
      return undefined;
    }
    const told = { clientAt: clientAt ?? null, decidedBy: decidedBy ?? null };
    return this.#close(approvalId, { decision, by: "answer", ...told });
  }

  /** Denies what waits within a task, or within a session: the answers have no use any more. */
  end(ended: { readonly sessionId: string; readonly taskId?: string }): readonly ApprovalRecord[] {
    const concerned = this.waiting().filter(
      ({ chain }) =>
        chain.sessionId === ended.sessionId && (ended.taskId === undefined || chain.taskId === ended.taskId),
    );
    return concerned.flatMap(({ approvalId }) => this.#close(approvalId, unanswered("ended")) ?? []);
  }

  waiting(): readonly ApprovalRequest[] {
    return [...this.#waiting.values()].map(({ request }) => request);
  }

  #close(approvalId: string, decided: Decided): ApprovalRecord | undefined {
    const waiting = this.#waiting.get(approvalId);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(approvalId);
    waiting.stopClock();
    const record = Object.freeze({ request: waiting.request, ...decided, decidedAt: this.#clock.now() });
    waiting.settle(record);
    return record;
  }
}

const unanswered = (by: "silence" | "ended"): Decided => ({ decision: "denied", by, clientAt: null, decidedBy: null });
