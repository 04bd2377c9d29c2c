import type { PendingCall } from "../documents/types.ts";

/** The answers from outside to calls that wait, by tool call id. */
export interface Answers {
  readonly approvals?: Readonly<Record<string, { readonly approved: boolean; readonly reason?: string }>>;
  readonly results?: Readonly<Record<string, unknown>>;
  /** Ids of calls whose results say why they failed. */
  readonly failed?: readonly string[];
}

/** One for each call that waited, in order. */
export type ResolvedCall =
  | {
      readonly tool_call_id: string;
      readonly kind: "approval";
      readonly approved: boolean;
      readonly reason: string | null;
      /** No answer came, so it is denied. */
      readonly automatic: boolean;
    }
  | {
      readonly tool_call_id: string;
      readonly kind: "call";
      readonly failed: boolean;
      readonly result: unknown;
      /** No result came, so the call failed. */
      readonly automatic: boolean;
    };

/** What is not covered is denied or failed; what is covered stands as it was said. */
export function resolveAnswers(pending: readonly PendingCall[], answers: Answers = {}): readonly ResolvedCall[] {
  const approvals = new Map(Object.entries(answers.approvals ?? {}));
  const results = new Map(Object.entries(answers.results ?? {}));
  return pending.map(({ tool_call_id, kind }): ResolvedCall => {
    if (kind === "approval") {
      const said = approvals.get(tool_call_id);
      const reason = said === undefined ? "The call was not approved." : (said.reason ?? null);
      return { tool_call_id, kind, approved: said?.approved === true, reason, automatic: said === undefined };
    }
    const isCovered = results.has(tool_call_id);
    const result = isCovered ? (results.get(tool_call_id) ?? null) : "No result of the call was brought.";
    const failed = !isCovered || answers.failed?.includes(tool_call_id) === true;
    return { tool_call_id, kind, failed, result, automatic: !isCovered };
  });
}
