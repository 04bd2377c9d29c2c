import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { ok } from "../answers.ts";
import { governanceIn } from "../governance-in.ts";
import {
  artifact,
  artifactParam,
  artifactWithBody,
  listedSession,
  workspace,
  workspaceParam,
} from "../governance-schemas.ts";
import { onInvalid } from "../on-invalid.ts";
import { pageOf, pageQuery } from "../schemas.ts";
import type { ServerState } from "../server-state.ts";
import { wireArtifact, wireListedSession, wireWorkspace } from "../wire-governance.ts";
import { pageIn } from "./governed-sessions.ts";

const of = "/api/governance/workspaces/{workspace_id}" as const;
const tags = ["Governance"];
const request = { params: workspaceParam };

const routes = {
  list: createRoute({
    ...{ method: "get", path: "/api/governance/workspaces", tags, summary: "Workspaces, newest activity first" },
    request: { query: z.object({ ...pageQuery, user_id: z.string().max(256).optional() }) },
    responses: ok(pageOf(workspace), "A page"),
  }),
  get: createRoute({
    ...{ method: "get", path: of, tags, summary: "One workspace", request },
    responses: ok(workspace, "The workspace"),
  }),
  sessions: createRoute({
    ...{ method: "get", path: `${of}/sessions`, tags, summary: "Its sessions, newest first" },
    request: { ...request, query: z.object(pageQuery) },
    responses: ok(pageOf(listedSession), "A page"),
  }),
  artifacts: createRoute({
    ...{ method: "get", path: `${of}/artifacts`, tags, summary: "What agents made in it, newest first" },
    request: { ...request, query: z.object({ ...pageQuery, session_id: z.string().max(256).optional() }) },
    responses: ok(pageOf(artifact), "A page"),
  }),
  delete: createRoute({
    ...{
      method: "delete",
      path: of,
      tags,
      summary: "Deletes it with its histories and artifacts, and no file",
      request,
    },
    responses: ok(z.object({ sessions: z.int(), records: z.int() }), "What it had"),
  }),
  artifact: createRoute({
    ...{ method: "get", path: "/api/governance/artifacts/{artifact_id}", tags, summary: "One artifact" },
    request: { params: artifactParam },
    responses: ok(artifactWithBody, "The artifact with its text"),
  }),
};

export function workspaceRoutes(state: ServerState) {
  return new OpenAPIHono({ defaultHook: onInvalid })
    .openapi(routes.list, async (c) => {
      const { user_id: userId, ...page } = c.req.valid("query");
      const { workspaces, next } = await governanceIn(state).workspaces.listWorkspaces({
        ...pageIn(page),
        ...(userId === undefined ? {} : { userId }),
      });
      return c.json(
        { items: workspaces.map(wireWorkspace), has_more: next !== undefined, next_cursor: next ?? null },
        200,
      );
    })
    .openapi(routes.get, async (c) =>
      c.json(wireWorkspace(await governanceIn(state).workspaces.readWorkspace(c.req.valid("param").workspace_id)), 200),
    )
    .openapi(routes.sessions, async (c) => {
      const { workspace_id } = c.req.valid("param");
      const { sessions, next } = await governanceIn(state).workspaces.listSessions(
        workspace_id,
        pageIn(c.req.valid("query")),
      );
      const items = sessions.map(wireListedSession);
      return c.json({ items, has_more: next !== undefined, next_cursor: next ?? null }, 200);
    })
    .openapi(routes.artifacts, async (c) => {
      const { session_id: sessionId, ...page } = c.req.valid("query");
      await governanceIn(state).artifactsKept();
      const { artifacts, next } = await governanceIn(state).workspaces.listArtifacts(
        c.req.valid("param").workspace_id,
        {
          ...pageIn(page),
          ...(sessionId === undefined ? {} : { sessionId }),
        },
      );
      return c.json(
        { items: artifacts.map(wireArtifact), has_more: next !== undefined, next_cursor: next ?? null },
        200,
      );
    })
    .openapi(routes.delete, async (c) =>
      c.json(await governanceIn(state).deleteWorkspace(c.req.valid("param").workspace_id), 200),
    )
    .openapi(routes.artifact, async (c) => {
      const { fields, body } = await governanceIn(state).workspaces.readArtifact(c.req.valid("param").artifact_id);
      return c.json({ ...wireArtifact(fields), body }, 200);
    });
}
