import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { serverError } from "../../errors.ts";
import { callerName } from "../../runs/caller.ts";
import { readCheckpoint } from "../../runs/checkpoint.ts";
import { recoverTask } from "../../runs/recover-task.ts";
import { begunAnswer, ok, runAnswers, wantedOf } from "../answers.ts";
import { governanceIn } from "../governance-in.ts";
import {
  auditEvent,
  auditQuery,
  checkpoint,
  continueBody,
  governedSession,
  governedSessionParam,
  history,
  task,
  taskParam,
} from "../governance-schemas.ts";
import { onInvalid } from "../on-invalid.ts";
import { pageOf, pageQuery } from "../schemas.ts";
import type { ServerState } from "../server-state.ts";
import { wireCheckpoint, wireGovernedSession, wireHistory, wireTask } from "../wire-governance.ts";

const of = "/api/governance/sessions/{session_id}" as const;
const tags = ["Governance"];
const request = { params: governedSessionParam };

const routes = {
  get: createRoute({
    ...{ method: "get", path: of, tags, summary: "One session, with tasks that a crash interrupted", request },
    responses: ok(governedSession, "A conversation is a session, and has its id"),
  }),
  tasks: createRoute({
    ...{ method: "get", path: `${of}/tasks`, tags, summary: "Its tasks, newest first" },
    request: { ...request, query: z.object(pageQuery) },
    responses: ok(pageOf(task), "A run is a task, and has its id"),
  }),
  history: createRoute({
    ...{ method: "get", path: `${of}/history`, tags, summary: "What was said in it, as of its last task", request },
    responses: ok(history, "The session_history artifact"),
  }),
  checkpoint: createRoute({
    ...{ method: "get", path: `${of}/checkpoint`, tags, summary: "Where it stands, until it ends", request },
    responses: ok(checkpoint, "A view of its step log and its records; there is no file to keep in step"),
  }),
  deleteHistory: createRoute({
    ...{ method: "delete", path: `${of}/history`, tags, summary: "Deletes what was said in it; again, it is no error" },
    request,
    responses: ok(z.object({ deleted: z.boolean() }), "Whether there was anything"),
  }),
  audit: createRoute({
    ...{ method: "get", path: `${of}/audit`, tags, summary: "What happened in it, newest first, by time" },
    request: { ...request, query: z.object({ ...pageQuery, ...auditQuery }) },
    responses: ok(pageOf(auditEvent), "A page"),
  }),
  resume: createRoute({
    ...{
      method: "post",
      path: `${of}/resume`,
      tags,
      summary: "Asks for another policy, and goes on under it",
      request,
    },
    responses: ok(governedSession, "The session as it is now; tasks that waited go on"),
  }),
  close: createRoute({
    ...{ method: "post", path: `${of}/close`, tags, summary: "Ends it: completed", request },
    responses: ok(governedSession, "The session as it is now"),
  }),
  cancel: createRoute({
    ...{ method: "post", path: `${of}/cancel`, tags, summary: "Ends it: cancelled", request },
    responses: ok(governedSession, "The session as it is now"),
  }),
  continue: createRoute({
    ...{ method: "post", path: `${of}/continue`, tags },
    request: { ...request, body: { content: { "application/json": { schema: continueBody } }, required: true } },
    summary: "Begins another session in the same workspace, with the history of this one",
    responses: runAnswers,
  }),
  recover: createRoute({
    ...{ method: "post", path: `${of}/tasks/{task_id}/recover`, tags, request: { params: taskParam } },
    summary: "Goes on with a task that a crash interrupted, behind its last step and without its prompt",
    responses: runAnswers,
  }),
  cancelTask: createRoute({
    ...{ method: "post", path: `${of}/tasks/{task_id}/cancel`, tags, request: { params: taskParam } },
    summary: "No further request of this task; a tool that runs is let finish, and the session stays",
    responses: ok(z.object({ cancelled: z.boolean() }), "It was asked to end"),
  }),
};

export function governedSessionRoutes(state: ServerState) {
  const shown = async (id: string) => {
    const governance = governanceIn(state);
    const fields = await governance.workspaces.readSession(id);
    return wireGovernedSession(fields, await governance.stateOf(fields), await governance.incompleteTasks(id));
  };
  return new OpenAPIHono({ defaultHook: onInvalid })
    .openapi(routes.get, async (c) => c.json(await shown(c.req.valid("param").session_id), 200))
    .openapi(routes.tasks, async (c) => {
      const { tasks, next } = await governanceIn(state).workspaces.listTasks(
        c.req.valid("param").session_id,
        pageIn(c.req.valid("query")),
      );
      return c.json({ items: tasks.map(wireTask), has_more: next !== undefined, next_cursor: next ?? null }, 200);
    })
    .openapi(routes.history, async (c) => {
      const { session_id: id } = c.req.valid("param");
      const found = await governanceIn(state).workspaces.readHistory(id);
      if (found === undefined)
        throw serverError("server/not-found", "No task of this session has ended, or its history was deleted.", { id });
      return c.json(wireHistory(found), 200);
    })
    .openapi(routes.checkpoint, async (c) => {
      const { store, runtime } = state;
      const { session_id: id } = c.req.valid("param");
      const read = await readCheckpoint(id, governanceIn(state), { store, lineage: runtime.lineage });
      return c.json(wireCheckpoint(read), 200);
    })
    .openapi(routes.deleteHistory, async (c) =>
      c.json({ deleted: await governanceIn(state).deleteHistory(c.req.valid("param").session_id) }, 200),
    )
    .openapi(routes.audit, async (c) => {
      const { session_id: id } = c.req.valid("param");
      const { from, to, ...page } = c.req.valid("query");
      const governance = governanceIn(state);
      await governance.artifactsKept();
      await governance.events.flush();
      const { events, next } = await governance.workspaces.audit.bySession(id, {
        ...pageIn(page),
        ...(from === undefined ? {} : { from: Date.parse(from) }),
        ...(to === undefined ? {} : { to: Date.parse(to) }),
      });
      const items = events.map((event) => ({ ...event, payload: { ...event.payload } }));
      return c.json({ items, has_more: next !== undefined, next_cursor: next ?? null }, 200);
    })
    .openapi(routes.resume, async (c) => {
      const { session_id: id } = c.req.valid("param");
      await governanceIn(state).resume(id);
      return c.json(await shown(id), 200);
    })
    .openapi(routes.close, async (c) => {
      const { session_id: id } = c.req.valid("param");
      await governanceIn(state).end(id, "SESSION_COMPLETED");
      return c.json(await shown(id), 200);
    })
    .openapi(routes.cancel, async (c) => {
      const { session_id: id } = c.req.valid("param");
      await governanceIn(state).end(id, "SESSION_CANCELLED");
      return c.json(await shown(id), 200);
    })
    .openapi(routes.continue, async (c) => {
      const { session_id: conversationId } = c.req.valid("param");
      const { user_id } = await governanceIn(state).workspaces.readSession(conversationId);
      if (user_id !== (callerName() ?? "local"))
        throw serverError("server/not-found", "There is no such session of yours; look at the list of what there is.");
      const wanted = { ...wantedOf(c.req.valid("json")), continues: conversationId };
      return begunAnswer(c, await state.runtime.start({ kind: "fork", conversationId }, wanted), "sse", state);
    })
    .openapi(routes.recover, async (c) => {
      const { session_id, task_id } = c.req.valid("param");
      const live = await recoverTask({ sessionId: session_id, taskId: task_id }, governanceIn(state), state);
      return begunAnswer(c, live, "sse", state);
    })
    .openapi(routes.cancelTask, (c) => {
      governanceIn(state).cancelTask(c.req.valid("param"));
      return c.json({ cancelled: true }, 200);
    });
}

/** A page as the records take it. */
export const pageIn = ({
  limit,
  cursor,
}: {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}) => ({
  ...(limit === undefined ? {} : { limit }),
  ...(cursor === undefined ? {} : { cursor }),
});
