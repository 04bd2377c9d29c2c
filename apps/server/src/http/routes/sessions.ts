import type { StepState } from "@cm/lineage";
import { sessionAt } from "@cm/session";
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { serverError } from "../../errors.ts";
import type { WantedKind } from "../../runs/run-requests.ts";
import { begunAnswer, gone, joinedAnswer, ok, runAnswers, wantedOf } from "../answers.ts";
import { runsPage, runsQueryOf } from "../conversation-views.ts";
import { onInvalid } from "../on-invalid.ts";
import {
  type ExecuteBody,
  executeBody,
  pageOf,
  pageQuery,
  runFilter,
  session,
  sessionDetails,
  sessionParam,
  steerBody,
} from "../schemas.ts";
import type { ServerState } from "../server-state.ts";
import { wireSession } from "../wire-records.ts";
import { streamRoute } from "./stream-route.ts";

const of = "/api/sessions/{session_id}" as const;
const tags = ["Sessions"];

const routes = {
  execute: createRoute({
    ...{ method: "post", path: "/api/sessions/execute", tags },
    request: { body: { content: { "application/json": { schema: executeBody } }, required: true } },
    responses: runAnswers,
    summary: "Begins a run that names its parent",
  }),
  list: createRoute({
    ...{ method: "get", path: "/api/sessions/list", tags, summary: "Runs of all conversations, newest first" },
    request: { query: z.object({ ...pageQuery, ...runFilter, conversation_id: z.string().max(100).optional() }) },
    responses: ok(pageOf(session), "A page"),
  }),
  get: createRoute({
    ...{ method: "get", path: `${of}/get`, tags },
    request: { params: sessionParam, query: z.object({ include_state: z.enum(["true", "false"]).optional() }) },
    responses: ok(sessionDetails, "The run"),
    summary: "One run, with its display messages",
  }),
  status: createRoute({
    ...{ method: "get", path: `${of}/status`, tags },
    request: { params: sessionParam },
    responses: ok(z.object({ session_id: z.string(), status: z.string() }), "`running`, or what the records say"),
    summary: "Whether a run goes on",
  }),
  interrupt: createRoute({
    ...{ method: "post", path: `${of}/interrupt`, tags },
    request: { params: sessionParam },
    responses: ok(z.object({ interrupted: z.int() }), "It was asked to end"),
    summary: "Ends one run",
  }),
  steer: createRoute({
    ...{ method: "post", path: `${of}/steer`, tags },
    request: { params: sessionParam, body: { content: { "application/json": { schema: steerBody } }, required: true } },
    responses: ok(z.object({ accepted: z.boolean() }), "Whether the message is new"),
    summary: "Says something to one run",
  }),
  archive: createRoute({
    ...{ method: "post", path: `${of}/archive`, tags },
    request: { params: sessionParam },
    responses: ok(session, "The run as it is now"),
    summary: "Takes a committed run out of the lists",
  }),
  events: streamRoute(`${of}/events`, sessionParam, "The events of a run"),
};

/** Everything about single runs, which the wire calls sessions. */
export function sessionRoutes(state: ServerState) {
  const { runtime } = state;
  const { lineage, presets } = runtime;
  return new OpenAPIHono({ defaultHook: onInvalid })
    .openapi(routes.execute, async (c) => {
      const asked = c.req.valid("json");
      const wanted = wantedOf(asked);
      return begunAnswer(c, await runtime.start(await kindOf(asked, state), wanted), wanted.transport, state);
    })
    .openapi(routes.list, async (c) => {
      const query = c.req.valid("query");
      return c.json(await runsPage({ ...runsQueryOf(query), conversationId: query.conversation_id }, state), 200);
    })
    .openapi(routes.get, async (c) => {
      const { session_id: id } = c.req.valid("param");
      const run = await lineage.run(id);
      const display = run.status === "failed" || run.status === "created" ? null : [...(await lineage.display(id))];
      const details = { ...wireSession(run, presets), display_messages: display };
      if (c.req.valid("query").include_state !== "true") return c.json(details, 200);
      return c.json({ ...details, state: await stateOf(id, state) }, 200);
    })
    .openapi(routes.status, async (c) => {
      const { session_id } = c.req.valid("param");
      return c.json({ session_id, status: await lineage.status(session_id) }, 200);
    })
    .openapi(routes.interrupt, async (c) => {
      runtime.interruptRun(c.req.valid("param").session_id);
      return c.json({ interrupted: 1 }, 200);
    })
    .openapi(routes.steer, async (c) => {
      const { input, message_id, when } = c.req.valid("json");
      return c.json(
        { accepted: runtime.steerRun(c.req.valid("param").session_id, input, { id: message_id, when }) },
        200,
      );
    })
    .openapi(routes.archive, async (c) =>
      c.json(wireSession(await lineage.archive(c.req.valid("param").session_id), presets), 200),
    )
    .openapi(routes.events, async (c) => {
      const { session_id: id } = c.req.valid("param");
      const live = runtime.live.get(id);
      if (live !== undefined) return joinedAnswer(c, live, state);
      await lineage.run(id);
      throw gone(id);
    });
}

async function kindOf(
  { parent_session_id: parentId, fork = false }: ExecuteBody,
  { runtime: { lineage } }: ServerState,
): Promise<WantedKind> {
  if (parentId === undefined) {
    if (fork)
      throw serverError("server/invalid-request", "A fork names the session that it begins with, parent_session_id.");
    return { kind: "root" };
  }
  const { conversation_id: conversationId } = await lineage.run(parentId);
  return fork ? { kind: "fork", conversationId, from: parentId } : { kind: "continue", conversationId, parentId };
}

/** What restores the agent, as the seed divides it. The history is read from the session's own documents. */
async function stateOf(id: string, { runtime: { lineage }, store }: ServerState) {
  const state = await lineage.state(id);
  if (!("step" in state)) {
    const { context_state = null, message_history = [], environment_state = null } = state as Record<string, unknown>;
    return { context_state, message_history: message_history as unknown[], environment_state };
  }
  const { step, basis } = state as StepState;
  const past = await sessionAt(store, step);
  return {
    context_state: { step, basis, session: past.wrapper },
    message_history: [...past.chat.turns] as unknown[],
    environment_state: { objects: past.objects.map(({ id: object, alias, path }) => ({ id: object, alias, path })) },
  };
}
