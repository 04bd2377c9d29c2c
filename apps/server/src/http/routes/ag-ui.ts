import { type AGUIEvent, EventType } from "@ag-ui/core";
import { type Answers, isLineageId } from "@cm/lineage";
import { isCmError } from "@cm/object-model";
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { serverError } from "../../errors.ts";
import type { WantedKind } from "../../runs/run-requests.ts";
import { streamAnswer } from "../answers.ts";
import { onInvalid } from "../on-invalid.ts";
import type { ServerState } from "../server-state.ts";
import { type AgUiInput, agUiInput, contentText } from "./ag-ui-input.ts";
import { newsIn, promptOf } from "./ag-ui-news.ts";

/**
 * The door for clients that speak AG-UI as it is: their thread is a conversation, which the first run of it begins. What
 * was said before is read from our records, and of their messages only what is new.
 */
export function agUiRoutes(state: ServerState) {
  const { runtime } = state;
  return new Hono().post("/api/ag-ui/:preset_id", async (c) => {
    const read = agUiInput.safeParse(await jsonOf(c));
    if (!read.success) return onInvalid(read, c) as Response;
    const { threadId, runId, messages, resume, tools } = read.data;
    if (!isLineageId(threadId))
      throw serverError("server/invalid-request", "The thread's id is none that a conversation may have.");
    const kind = await kindOf(threadId, state);
    const { news, repeats } = await newsIn(messages, threadId, runtime.lineage);
    const start = (of: WantedKind) =>
      runtime.start(of, {
        id: of.kind === "root" ? threadId : isLineageId(runId) ? runId : undefined,
        preset: c.req.param("preset_id"),
        ...{ input: promptOf(news), repeats },
        answers: answersOf(news, resume ?? []),
        tools: tools ?? undefined,
        transport: "sse",
      });
    const live = await start(kind).catch((error: unknown) => {
      // Another client has begun the thread in the same moment.
      if (kind.kind !== "root" || !isCmError(error, "lineage/taken")) throw error;
      return start({ kind: "continue", conversationId: threadId });
    });
    return streamAnswer(live, 0, state, withoutOwn(news)) as Response;
  });
}

/** As the routes with a schema of their own read it. @throws HTTPException 400 */
async function jsonOf({ req }: Context): Promise<unknown> {
  try {
    return await req.json();
  } catch (cause) {
    throw new HTTPException(400, { cause });
  }
}

async function kindOf(conversationId: string, { runtime: { lineage } }: ServerState): Promise<WantedKind> {
  try {
    await lineage.conversation(conversationId);
    return { kind: "continue", conversationId };
  } catch (error) {
    if (isCmError(error, "lineage/not-found")) return { kind: "root" };
    throw error;
  }
}

/** The client has the results that it brought: it would add them to its messages once more. */
function withoutOwn(news: AgUiInput["messages"]): (event: AGUIEvent) => boolean {
  const own = new Set(news.map(({ toolCallId }) => toolCallId));
  return (event) => event.type !== EventType.TOOL_CALL_RESULT || !own.delete(event.toolCallId);
}

/** Results that the client made of its calls, and what its user decided. */
function answersOf(news: AgUiInput["messages"], resume: NonNullable<AgUiInput["resume"]>): Answers | undefined {
  const results = news.flatMap((message) => {
    const { role, toolCallId: id, error } = message;
    const lines = [contentText(message), error ?? ""].filter((line) => line !== "");
    return role === "tool" && id !== undefined ? [{ id, text: lines.join("\n\n"), failed: Boolean(error) }] : [];
  });
  // Who says both has not approved.
  const refused = new Set(resume.filter((entry) => !approves(entry)).map(({ interruptId }) => interruptId));
  const given = resume.filter(({ status }) => status === "resolved");
  if (results.length + resume.length === 0) return undefined;
  return {
    approvals: Object.fromEntries(resume.map(({ interruptId: id }) => [id, { approved: !refused.has(id) }])),
    results: Object.fromEntries([
      ...given.map(({ interruptId: id, payload }) => [id, payload ?? null] as const),
      ...results.map(({ id, text }) => [id, text] as const),
    ]),
    failed: results.flatMap(({ id, failed }) => (failed ? [id] : [])),
  };
}

/** Only what cannot be meant as a no is a yes: nothing more than `resolved`, `true`, or what has no other word in `approved`. */
function approves({ status, payload = null }: NonNullable<AgUiInput["resume"]>[number]): boolean {
  if (status !== "resolved") return false;
  if (typeof payload !== "object") return payload === true;
  return payload === null || !("approved" in payload) || payload.approved === true;
}
