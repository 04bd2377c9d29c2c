import { z } from "@hono/zod-openapi";

const id = z.string().min(1).max(256);
const time = z.iso.datetime({ offset: true });

export const approvalParam = z.object({ approval_id: id });

export const approvalAnswer = z
  .strictObject({
    decision: z.enum(["approved", "denied"]),
    /** When the person decided, by their clock. */
    client_at: time.optional(),
  })
  .openapi("ApprovalAnswer");

const risk = z.enum(["low", "medium", "high"]);

export const approval = z
  .object({
    approval_id: z.string(),
    workspace_id: z.string(),
    session_id: z.string(),
    task_id: z.string(),
    step_id: z.string(),
    tool_call_id: z.string(),
    tool: z.string(),
    capability: z.string(),
    risk,
    rule: z.string().nullable(),
    summary: z.string(),
    requested_at: z.string(),
    /** From then on it is denied. */
    expires_at: z.string(),
  })
  .openapi("Approval", { description: "A call that waits for a person." });

export const decidedApproval = z
  .object({
    approval_id: z.string(),
    decision: z.enum(["approved", "denied"]),
    decided_at: z.string(),
    client_at: z.string().nullable(),
  })
  .openapi("DecidedApproval");
