import { isDeepStrictEqual } from "node:util";
import { isLineageId, type Lineage, type Run, wasInterrupted } from "@cm/lineage";
import { isCmError } from "@cm/object-model";
import { serverError } from "../../errors.ts";
import { messageOf, type RunInput, runInput } from "../../runs/run-input.ts";
import { type AgUiInput, inputParts } from "./ag-ui-input.ts";

type Messages = AgUiInput["messages"];

/**
 * What a client of AG-UI says that its thread has not heard: it sends all of its messages each time. An answer of a run that
 * failed is none, since what that run was told is dropped with it. Prompts of runs whose answers the client did not wait for
 * are heard already; the last one is said anew in any case, unless all that the client says was told to runs of which the
 * last was interrupted before it had anything: it asks again.
 */
export async function newsIn(messages: Messages, conversationId: string, lineage: Lineage): Promise<News> {
  const { from, run } = await newestAnswer(messages, conversationId, lineage);
  const behind = messages.slice(from).filter((message) => !isToldByUs(message));
  const prompts = behind.filter(({ role }) => role === "user");
  const isForeign = from > 0 && run === undefined;
  if (prompts.length === 0 || isForeign) return { news: behind, repeats: false };
  const { runs } = await lineage.runs({ conversationId, type: "agent" });
  const end = runs.findIndex(({ session_id: id }) => id === run?.session_id);
  const since = (end < 0 ? runs : runs.slice(0, end)).filter(isHeard).reverse();
  const last = since.at(-1);
  const { length: all } = prompts;
  const repeats = last !== undefined && wasInterrupted(last) && heardBy(since, prompts, all) === all;
  const heard = new Set(prompts.slice(0, heardBy(since, prompts, all - 1)));
  return { news: behind.filter((message) => !heard.has(message)), repeats };
}

interface News {
  readonly news: Messages;
  /** The last prompt was told to a run that was interrupted before it had anything. */
  readonly repeats: boolean;
}

/** A result that a run told, such as one that failed then: the client brings its own under other ids. */
const isToldByUs = ({ id, toolCallId }: Messages[number]): boolean =>
  toolCallId !== undefined && id?.endsWith(`:result:${toolCallId}`) === true;

/** What the user said, as one prompt: a text where it has no other parts. @throws CmError `server/invalid-request` */
export function promptOf(messages: Messages): RunInput {
  const parts = messages.filter(({ role }) => role === "user").flatMap(inputParts);
  const isText = parts.every(({ type }) => type === "text");
  const read = runInput.safeParse(isText ? messageOf(parts, "").text : parts);
  if (read.success) return read.data;
  const [{ path, message } = { path: [], message: "" }] = read.error.issues;
  const where = path.length === 0 ? "" : ` (${path.join(".")})`;
  throw serverError("server/invalid-request", `What the user says is no input of a run${where}: ${message}`);
}

/** The place behind it, and its run where that is one of the conversation. */
async function newestAnswer(
  messages: Messages,
  conversationId: string,
  lineage: Lineage,
): Promise<{ readonly from: number; readonly run?: Run | undefined }> {
  const failed = new Set<string>();
  for (const [place, { role, id = "" }] of [...messages.entries()].reverse()) {
    // As the ids of a run's messages begin.
    const [runId = ""] = id.split(":", 1);
    if (role !== "assistant" || failed.has(runId)) continue;
    const run = await runIn(conversationId, runId, lineage);
    if (run === undefined || isHeard(run)) return { from: place + 1, run };
    failed.add(runId);
  }
  return { from: 0 };
}

async function runIn(conversationId: string, id: string, lineage: Lineage): Promise<Run | undefined> {
  try {
    const run = isLineageId(id) ? await lineage.run(id) : undefined;
    return run?.conversation_id === conversationId ? run : undefined;
  } catch (error) {
    if (isCmError(error, "lineage/not-found")) return undefined;
    throw error;
  }
}

/**
 * Whether the runs behind it know what it was told: not where it failed. One that was interrupted before it had anything has
 * failed in the records, and its session keeps what it was told, unless it left calls unanswered.
 */
function isHeard(run: Run): boolean {
  if (run.status !== "failed") return true;
  return wasInterrupted(run) && !run.resolved.some(({ automatic }) => automatic);
}

/** How many of the prompts, from the first on, runs were told in order, at most so many. */
function heardBy(runs: readonly Run[], prompts: Messages, most: number): number {
  let heard = 0;
  for (const { input } of runs)
    for (let to = most; to > heard; to -= 1)
      if (isDeepStrictEqual(promptOf(prompts.slice(heard, to)), input)) heard = to;
  return heard;
}
