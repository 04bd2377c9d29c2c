import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { begunAnswer, gone, joinedAnswer, ok, runAnswers, wantedOf } from "../answers.ts";
import { detailsOf, metadataFilter, runsPage, runsQueryOf, turnsPage } from "../conversation-views.ts";
import { interruptElsewhere } from "../hand-on.ts";
import { onInvalid } from "../on-invalid.ts";
import {
  conversation,
  conversationDetails,
  conversationParam,
  fireBody,
  forkBody,
  mail,
  pageOf,
  pageQuery,
  runFilter,
  session,
  startBody,
  steerBody,
  turn,
  updateBody,
} from "../schemas.ts";
import type { ServerState } from "../server-state.ts";
import { wireConversation } from "../wire-records.ts";
import { streamRoute } from "./stream-route.ts";

const body = <Schema extends z.ZodType>(schema: Schema) => ({
  body: { content: { "application/json": { schema } }, required: true },
});

const of = "/api/conversations/{conversation_id}" as const;
const tags = ["Conversations"];

const routes = {
  run: createRoute({
    ...{ method: "post", path: "/api/conversations/run", tags },
    request: body(startBody),
    responses: runAnswers,
    summary: "Begins a conversation, or goes on with one",
  }),
  fork: createRoute({
    ...{ method: "post", path: `${of}/fork`, tags },
    request: { params: conversationParam, ...body(forkBody) },
    responses: runAnswers,
    summary: "Begins a conversation with a snapshot of another",
  }),
  fire: createRoute({
    ...{ method: "post", path: `${of}/fire`, tags },
    request: { params: conversationParam, ...body(fireBody) },
    responses: runAnswers,
    summary: "Begins a run with what subagents have posted",
  }),
  interrupt: createRoute({
    ...{ method: "post", path: `${of}/interrupt`, tags },
    request: { params: conversationParam },
    responses: ok(z.object({ interrupted: z.int() }), "How many runs were asked to end"),
    summary: "Ends all that runs in a conversation",
  }),
  steer: createRoute({
    ...{ method: "post", path: `${of}/steer`, tags },
    request: { params: conversationParam, ...body(steerBody) },
    responses: ok(z.object({ accepted: z.boolean() }), "Whether the message is new"),
    summary: "Says something to the run that goes on",
  }),
  update: createRoute({
    ...{ method: "post", path: `${of}/update`, tags },
    request: { params: conversationParam, ...body(updateBody) },
    responses: ok(conversation, "The conversation as it is now"),
    summary: "Changes title, preset, metadata or status",
  }),
  list: createRoute({
    ...{ method: "get", path: "/api/conversations/list", tags, summary: "Conversations, newest first" },
    request: {
      query: z.object({
        ...pageQuery,
        status: z.enum(["active", "archived"]).optional(),
        preset_id: z.string().optional(),
        metadata: z.string().max(10_000).optional().openapi({ description: "JSON that the metadata must contain" }),
      }),
    },
    responses: ok(pageOf(conversation), "A page"),
  }),
  get: createRoute({
    ...{ method: "get", path: `${of}/get`, tags },
    request: { params: conversationParam },
    responses: ok(conversationDetails, "The conversation"),
    summary: "One conversation, with what runs in it",
  }),
  turns: createRoute({
    ...{ method: "get", path: `${of}/turns`, tags, summary: "What was asked and answered, in the order of time" },
    request: {
      params: conversationParam,
      query: z.object({
        ...pageQuery,
        include_display: z.enum(["true", "false"]).optional(),
      }),
    },
    responses: ok(pageOf(turn), "The newest page, or that before the cursor"),
  }),
  sessions: createRoute({
    ...{ method: "get", path: `${of}/sessions`, tags, summary: "All runs of a conversation, newest first" },
    request: {
      params: conversationParam,
      query: z.object({ ...pageQuery, ...runFilter }),
    },
    responses: ok(pageOf(session), "A page"),
  }),
  mailbox: createRoute({
    ...{ method: "get", path: `${of}/mailbox`, tags },
    request: { params: conversationParam },
    responses: ok(z.object({ items: z.array(mail) }), "What waits"),
    summary: "What subagents have posted and no run has taken",
  }),
  events: streamRoute(`${of}/events`, conversationParam, "The events of the run that goes on in a conversation"),
};

/** Everything about conversations. */
export const conversationRoutes = (state: ServerState) =>
  new OpenAPIHono().route("/", beginning(state)).route("/", reaching(state)).route("/", looking(state));

/** Runs that begin, and their events. */
function beginning(state: ServerState) {
  const { runtime } = state;
  return new OpenAPIHono({ defaultHook: onInvalid })
    .openapi(routes.run, async (c) => {
      const asked = c.req.valid("json");
      const { conversation_id: conversationId } = asked;
      const wanted = wantedOf(asked);
      const kind =
        conversationId === undefined ? ({ kind: "root" } as const) : ({ kind: "continue", conversationId } as const);
      return begunAnswer(c, await runtime.start(kind, wanted), wanted.transport, state);
    })
    .openapi(routes.fork, async (c) => {
      const asked = c.req.valid("json");
      const { conversation_id: conversationId } = c.req.valid("param");
      const wanted = { ...wantedOf(asked), files: asked.files };
      const live = await runtime.start({ kind: "fork", conversationId, from: asked.from_session_id }, wanted);
      return begunAnswer(c, live, wanted.transport, state);
    })
    .openapi(routes.fire, async (c) => {
      const { conversation_id: conversationId } = c.req.valid("param");
      const wanted = wantedOf(c.req.valid("json"), "stream");
      return begunAnswer(c, await runtime.start({ kind: "fire", conversationId }, wanted), wanted.transport, state);
    })
    .openapi(routes.events, async (c) => {
      const { conversation_id: id } = c.req.valid("param");
      await runtime.lineage.conversation(id);
      const live = runtime.live.newestOf(id);
      if (live !== undefined) return joinedAnswer(c, live, state);
      throw gone(id);
    });
}

/** What goes on, and what a conversation says of itself. */
function reaching(state: ServerState) {
  const { runtime } = state;
  const { lineage } = runtime;
  return new OpenAPIHono({ defaultHook: onInvalid })
    .openapi(routes.interrupt, async (c) => {
      const { conversation_id: id } = c.req.valid("param");
      await lineage.conversation(id);
      const elsewhere = await interruptElsewhere(c.req.raw, id, state);
      return c.json({ interrupted: runtime.interruptConversation(id) + elsewhere }, 200);
    })
    .openapi(routes.steer, async (c) => {
      const { conversation_id: id } = c.req.valid("param");
      const { input, message_id, when } = c.req.valid("json");
      await lineage.conversation(id);
      return c.json({ accepted: runtime.steerConversation(id, input, { id: message_id, when }) }, 200);
    })
    .openapi(routes.update, async (c) => {
      const { title, default_preset_id, metadata, status } = c.req.valid("json");
      const { conversation_id: id } = c.req.valid("param");
      if (typeof default_preset_id === "string") runtime.presets.get(default_preset_id);
      const cleared = metadata === null ? await clearedMetadata(state, id) : metadata;
      const updated = await lineage.updateConversation(id, {
        ...(title === undefined ? {} : { title }),
        ...(default_preset_id === undefined ? {} : { defaultPresetId: default_preset_id }),
        ...(cleared === undefined ? {} : { metadata: cleared }),
        ...(status === undefined ? {} : { status }),
      });
      return c.json(wireConversation(updated), 200);
    });
}

/** What was said and done. */
function looking(state: ServerState) {
  const { lineage } = state.runtime;
  return new OpenAPIHono({ defaultHook: onInvalid })
    .openapi(routes.list, async (c) => {
      const { limit, cursor, status, preset_id: defaultPresetId, metadata } = c.req.valid("query");
      const { conversations, next } = await lineage.conversations({
        ...(limit === undefined ? {} : { limit }),
        ...(cursor === undefined ? {} : { cursor }),
        ...(status === undefined ? {} : { status }),
        ...(defaultPresetId === undefined ? {} : { defaultPresetId }),
        ...(metadata === undefined ? {} : { metadata: metadataFilter(metadata) }),
      });
      const items = conversations.map(wireConversation);
      return c.json({ items, has_more: next !== undefined, next_cursor: next ?? null }, 200);
    })
    .openapi(routes.get, async (c) => c.json(await detailsOf(c.req.valid("param").conversation_id, state), 200))
    .openapi(routes.turns, async (c) => {
      const { limit, cursor, include_display } = c.req.valid("query");
      const id = c.req.valid("param").conversation_id;
      return c.json(await turnsPage(id, { limit, cursor, withDisplay: include_display === "true" }, state), 200);
    })
    .openapi(routes.sessions, async (c) => {
      const { conversation_id: conversationId } = c.req.valid("param");
      await lineage.conversation(conversationId);
      return c.json(await runsPage({ ...runsQueryOf(c.req.valid("query")), conversationId }, state), 200);
    })
    .openapi(routes.mailbox, async (c) => {
      const posts = await lineage.mailbox(c.req.valid("param").conversation_id);
      const items = posts.map(({ session_id, subagent_name, outcome }) => ({ session_id, subagent_name, outcome }));
      return c.json({ items }, 200);
    });
}

async function clearedMetadata({ runtime }: ServerState, id: string): Promise<Readonly<Record<string, null>>> {
  const { metadata } = await runtime.lineage.conversation(id);
  return Object.fromEntries(Object.keys(metadata).map((name) => [name, null]));
}
