import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { WaitingApproval } from "../../governance/approvals.ts";
import { ok } from "../answers.ts";
import { callerName } from "../caller.ts";
import { governanceIn } from "../governance-in.ts";
import { approval, approvalAnswer, approvalParam, decidedApproval } from "../governance-schemas.ts";
import { onInvalid } from "../on-invalid.ts";
import type { ServerState } from "../server-state.ts";

const tags = ["Governance"];

const routes = {
  list: createRoute({
    ...{ method: "get", path: "/api/governance/approvals", tags, summary: "Calls that wait for a person" },
    request: { query: z.object({ session_id: z.string().max(256).optional() }) },
    responses: ok(z.object({ items: z.array(approval) }), "Those that wait on this server, oldest first"),
  }),
  answer: createRoute({
    ...{ method: "post", path: "/api/governance/approvals/{approval_id}", tags, summary: "Approves or denies a call" },
    request: {
      params: approvalParam,
      body: { content: { "application/json": { schema: approvalAnswer } }, required: true },
    },
    responses: ok(decidedApproval, "It was the answer; a late one, a second one and one to nobody are not found"),
  }),
};

export function approvalRoutes(state: ServerState) {
  return new OpenAPIHono({ defaultHook: onInvalid })
    .openapi(routes.list, (c) => {
      const waiting = governanceIn(state).approvals.waiting(c.req.valid("query").session_id);
      return c.json({ items: waiting.map(wireApproval) }, 200);
    })
    .openapi(routes.answer, (c) => {
      const { decision, client_at } = c.req.valid("json");
      const { approval_id } = c.req.valid("param");
      const clientAt = client_at === undefined ? {} : { clientAt: Date.parse(client_at) };
      // As runs have it: without tokens there is one user.
      const decidedBy = callerName() ?? "local";
      const record = governanceIn(state).approvals.answer(approval_id, { decision, decidedBy, ...clientAt });
      const decided_at = new Date(record.decidedAt).toISOString();
      return c.json({ approval_id, decision, decided_by: decidedBy, decided_at, client_at: client_at ?? null }, 200);
    });
}

const wireApproval = ({ chain, rule, ...request }: WaitingApproval) => ({
  approval_id: request.approvalId,
  ...{ workspace_id: chain.workspaceId, session_id: chain.sessionId, task_id: chain.taskId, step_id: chain.stepId },
  ...{ tool_call_id: request.callId, tool: request.tool, capability: request.capability, risk: request.risk },
  ...{ rule: rule?.title ?? null, summary: request.summary },
  requested_at: new Date(request.requestedAt).toISOString(),
  expires_at: new Date(request.expiresAt).toISOString(),
});
