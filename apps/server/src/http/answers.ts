import { defined } from "@cm/object-model";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { serverError } from "../errors.ts";
import type { TaskSetting } from "../governance/governance-options.ts";
import { limits } from "../limits.ts";
import type { LiveRun } from "../runs/live-run.ts";
import type { WantedRun } from "../runs/run-requests.ts";
import { streamKeyOf } from "./problems.ts";
import { eventStreamHeaders, lastEventId, runStream, type StreamOptions } from "./run-stream.ts";
import { problem, type StartBody, started } from "./schemas.ts";
import type { ServerState } from "./server-state.ts";

const json = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  content: { "application/json": { schema } },
  description,
});

/** The answers that a route may give beside its own. */
export const problems = {
  401: json(problem, "A token is needed."),
  404: json(problem, "There is no such thing."),
  409: json(problem, "Something runs that must end first; `active_session` names it."),
  410: json(problem, "The events are held no longer; read the session."),
  422: json(problem, "The request cannot be done as it is."),
  429: json(problem, "The server executes as many runs as it takes."),
  503: json(problem, "The store does not answer, or the server is stopping."),
} as const;

export const ok = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  200: json(schema, description),
  ...problems,
});

/** Of a run that was begun. */
export const runAnswers = {
  200: {
    content: { "text/event-stream": { schema: z.string() } },
    description: "The run's AG-UI events, each with a number as its id. The run goes on without readers.",
  },
  202: json(started, "The run was begun; its events are asked for by themselves."),
  ...problems,
} as const;

/** What a body says of a run, in our words. */
export const wantedOf = (body: StartBody, transport: "sse" | "stream" = "sse"): WantedRun => ({
  ...{ preset: body.preset_id, workspace: body.workspace_id, folders: body.project_ids, input: body.input },
  ...{ metadata: body.metadata, transport: body.transport ?? transport },
  ...(body.task === undefined ? {} : { task: taskOf(body.task) }),
  answers:
    body.user_interactions === undefined && body.tool_results === undefined
      ? undefined
      : {
          approvals: Object.fromEntries(
            Object.entries(body.user_interactions ?? {}).map(([id, { approved, reason }]) => [
              id,
              { approved, ...(reason === undefined ? {} : { reason }) },
            ]),
          ),
          results: body.tool_results ?? {},
        },
});

const taskOf = (task: NonNullable<StartBody["task"]>): Partial<TaskSetting> =>
  defined({ maxSteps: task.max_steps, allowNetwork: task.allow_network, approvalMode: task.approval_mode });

/** The stream of a run that was just begun, or where to find it. */
export function begunAnswer(c: Context, live: LiveRun, transport: "sse" | "stream", state: ServerState) {
  const { runId: session_id, conversationId: conversation_id } = live;
  if (transport === "stream") return c.json({ session_id, conversation_id, stream_key: streamKeyOf(session_id) }, 202);
  return streamAnswer(live, 0, state);
}

/** A reader's stream from where it is. */
export function streamAnswer(
  live: LiveRun,
  after: number,
  { heartbeatMs }: ServerState,
  isFor?: StreamOptions["isFor"],
): never {
  // The types of the framework know answers in JSON alone.
  return new Response(runStream(live.buffer, after, { heartbeatMs, isFor }), { headers: eventStreamHeaders }) as never;
}

/** Joins a run: from its beginning, or behind the event that the reader names. @throws CmError `server/gone` */
export function joinedAnswer(c: Context, live: LiveRun, state: ServerState): never {
  const after = lastEventId(c.req.header("last-event-id"));
  if (after === undefined) throw serverError("server/invalid-request", "Last-Event-ID is no number of an event.");
  const { buffer } = live;
  if (buffer.readers >= limits.readersMax) throw serverError("server/busy", "The run has as many readers as it takes.");
  // A browser that has all of it would ask again and again.
  if (buffer.isEnded && after === buffer.lastId) return new Response(null, { status: 204 }) as never;
  if (!buffer.hasAfter(after)) throw gone(live.runId);
  return streamAnswer(live, after, state);
}

export const gone = (runId: string) =>
  serverError("server/gone", `The events of the run ${runId} are held no longer; read the session.`, { id: runId });
