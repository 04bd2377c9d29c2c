import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { WaitingApproval } from "../../governance/approvals.ts";
import { callerName } from "../../runs/caller.ts";
import { ok } from "../answers.ts";
import { decidedElsewhere, waitingElsewhere } from "../approvals-elsewhere.ts";
import { governanceIn } from "../governance-in.ts";
import { approval, approvalAnswer, approvalParam, decidedApproval } from "../governance-schemas.ts";
import { onInvalid } from "../on-invalid.ts";
import type { ServerState } from "../server-state.ts";

const tags = ["Governance"];

const routes = {
  list: createRoute({
    ...{ method: "get", path: "/api/governance/approvals", tags, summary: "Calls that wait for a person" },
    request: { query: z.object({ session_id: z.string().max(256).optional() }) },
    responses: ok(
      z.object({
        items: z.array(approval),
        unreachable_servers: z.int().openapi({ description: "Servers of the store that did not say what waits there" }),
      }),
      "Those that wait on any server of the store, oldest first",
    ),
  }),
  answer: createRoute({
    ...{ method: "post", path: "/api/governance/approvals/{approval_id}", tags, summary: "Approves or denies a call" },
    request: {
      params: approvalParam,
      body: { content: { "application/json": { schema: approvalAnswer } }, required: true },
    },
    responses: ok(
      decidedApproval,
      "It was the answer; a late one, a second one and one to an unknown call are not found",
    ),
  }),
};

export function approvalRoutes(state: ServerState) {
  return new OpenAPIHono({ defaultHook: onInvalid })
    .openapi(routes.list, async (c) => {
      const here = governanceIn(state).approvals.waiting(c.req.valid("query").session_id);
      const { items: elsewhere, unreachable } = await waitingElsewhere(c.req.raw, state);
      const items = [...here.map(wireApproval), ...elsewhere].sort(byTime);
      return c.json({ items, unreachable_servers: unreachable }, 200);
    })
    .openapi(routes.answer, async (c) => {
      const given = c.req.valid("json");
      const { decision, client_at } = given;
      const { approval_id } = c.req.valid("param");
      const isHere = governanceIn(state).approvals.isWaiting(approval_id);
      const elsewhere = isHere ? undefined : await decidedElsewhere(c.req.raw, given, state);
      if (elsewhere !== undefined) return c.json(elsewhere, 200);
      const clientAt = client_at === undefined ? {} : { clientAt: Date.parse(client_at) };
      // As runs have it: without tokens there is one user.
      const decidedBy = callerName() ?? "local";
      const record = governanceIn(state).approvals.answer(approval_id, { decision, decidedBy, ...clientAt });
      const decided_at = new Date(record.decidedAt).toISOString();
      return c.json({ approval_id, decision, decided_by: decidedBy, decided_at, client_at: client_at ?? null }, 200);
    });
}

const byTime = (a: { readonly requested_at: string }, b: { readonly requested_at: string }): number =>
  Date.parse(a.requested_at) - Date.parse(b.requested_at);

const wireApproval = ({ chain, rule, ...request }: WaitingApproval) => ({
  approval_id: request.approvalId,
  ...{ workspace_id: chain.workspaceId, session_id: chain.sessionId, task_id: chain.taskId, step_id: chain.stepId },
  ...{ tool_call_id: request.callId, tool: request.tool, capability: request.capability, risk: request.risk },
  ...{ rule: rule?.title ?? null, summary: request.summary },
  requested_at: new Date(request.requestedAt).toISOString(),
  expires_at: new Date(request.expiresAt).toISOString(),
});
