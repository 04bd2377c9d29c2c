import { httpStatusOf } from "@cm/lineage";
import { isCmError } from "@cm/object-model";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { z } from "zod";
import type { problem } from "./schemas.ts";

export type Problem = z.infer<typeof problem>;

const statuses: Readonly<Record<string, ContentfulStatusCode>> = {
  "server/unknown-preset": 422,
  "server/unknown-model": 422,
  "server/unknown-folder": 422,
  "server/invalid-request": 422,
  "server/not-running": 404,
  "server/not-ready": 409,
  "server/busy": 429,
  "server/unreachable": 503,
  "server/policy": 403,
  "server/session-paused": 409,
  "server/session-busy": 409,
  "server/session-ended": 409,
  "server/not-found": 404,
  "workspace/not-found": 404,
  "workspace/conflict": 409,
  "workspace/refused": 409,
  "workspace/invalid": 422,
  "workspace/limit": 422,
  "governance/limit": 422,
  "governance/invalid-move": 409,
  "server/gone": 410,
  "model/invalid-id": 422,
  "session/not-found": 404,
  "store/limit": 422,
  "store/unavailable": 503,
  "store/unknown-outcome": 503,
  "store/closed": 503,
};

/** An error as an answer: its status, and a sentence that names the next step. What is no error of ours says nothing. */
export function problemOf(error: unknown): { readonly status: ContentfulStatusCode; readonly body: Problem } {
  if (!isCmError(error))
    return {
      status: 500,
      body: { error: "internal", message: "The server met a fault of its own; its log names it." },
    };
  const status = statuses[error.code] ?? httpStatusOf(error) ?? 500;
  const body: Problem = { error: nameOf(error.code), message: error.message };
  const { running, transport } = error.data;
  if (error.code !== "lineage/busy" || typeof running !== "string")
    return { status: status as ContentfulStatusCode, body };
  return {
    status: 409,
    body: { ...body, active_session: activeSession(running, transport === "sse" ? "sse" : "stream") },
  };
}

const nameOf = (code: string): string =>
  code === "lineage/busy" ? "conversation_busy" : code.replace(/^[^/]*\//, "").replaceAll("-", "_");

/** A run that goes on, as others are told of it. */
export const activeSession = (session_id: string, transport: "sse" | "stream") => ({
  ...{ session_id, transport },
  stream_key: transport === "stream" ? streamKeyOf(session_id) : null,
});

/** By what name a run's stream is asked for, in the answers of `transport: stream`. */
export const streamKeyOf = (runId: string): string => `run:${runId}`;
