import type { LineageContext, ReadingContext } from "./context.ts";
import type { MailFields, RunFields } from "./documents/types.ts";
import { fault } from "./errors.ts";
import { lineageLimits } from "./limits.ts";
import { readConversation } from "./records/read-conversation.ts";
import { changed, type Stored } from "./records/records.ts";
import { mailText } from "./rules/mail-text.ts";
import { start } from "./runs/begin.ts";
import { failRun } from "./runs/end.ts";
import type { ContinueRequest } from "./runs/requests.ts";
import type { Run } from "./runs/run.ts";
import { planContinue } from "./runs/start.ts";

/** What a finished subagent posted: a reference to its run. */
export interface Post {
  readonly session_id: string;
  readonly conversation_id: string;
  readonly subagent_name: string | null;
  readonly outcome: "result" | "failed";
}

export interface FireRequest extends Omit<ContinueRequest, "input"> {
  /** What the user says beside it. */
  readonly input?: string;
}

/** Posts that no run has taken, the oldest first. @throws CmError `lineage/not-found` */
export async function pendingPosts(context: ReadingContext, conversationId: string): Promise<readonly Post[]> {
  await readConversation(context, conversationId);
  const letters = await pendingLetters(context, conversationId);
  return letters.map(({ fields }) => {
    const { session_id, conversation_id, subagent_name, outcome } = fields;
    return { session_id, conversation_id, subagent_name, outcome };
  });
}

/**
 * Starts an agent run with all that waits in the mailbox. The posts, the claim on the conversation and the run are
 * one transaction. Where `launch` fails the run fails, and the posts wait again.
 * @throws CmError `lineage/busy`, `lineage/empty-mailbox`, `lineage/not-found`; what `launch` throws
 */
export async function fireMailbox(
  context: LineageContext,
  request: FireRequest,
  launch?: (run: Run) => void | Promise<void>,
): Promise<Run> {
  const { conversationId } = request;
  const { input: said, ...rest } = request;
  const run = await start(context, { ...rest, input: said ?? "" }, async (id) => {
    const letters = await pendingLetters(context, conversationId);
    const taken = letters.map((letter) => changed("mail", letter, { consumed_by: id }));
    // Busy is said before empty.
    const plan = await planContinue(context, id, { ...rest, input: await inputOf(context, letters, said) }, taken);
    if (letters.length === 0) throw empty(conversationId);
    return plan;
  });
  try {
    await launch?.(run);
  } catch (error) {
    await failRun(context, run.session_id, "It could not be launched.");
    throw error;
  }
  return run;
}

/** The oldest first, as many as one run takes. */
async function pendingLetters(
  { records }: ReadingContext,
  conversationId: string,
): Promise<readonly Stored<MailFields>[]> {
  const letters: Stored<MailFields>[] = [];
  for await (const letter of records.all("mail", { conversation_id: conversationId, consumed_by: null })) {
    letters.push(letter);
  }
  return letters.reverse().slice(0, lineageLimits.mailPerFireMax);
}

async function inputOf(
  { records }: ReadingContext,
  letters: readonly Stored<MailFields>[],
  said: string | undefined,
): Promise<string> {
  const runs = await records.readMany(
    "run",
    letters.map(({ fields }) => fields.session_id),
  );
  const textOf = (run: Stored<RunFields> | undefined) => run?.fields.output ?? run?.fields.failure ?? null;
  const told = letters.map(({ fields: { session_id, subagent_name, outcome } }) => {
    return { subagentName: subagent_name, outcome, text: textOf(runs.get(session_id)) };
  });
  return mailText(told, said);
}

const empty = (id: string) =>
  fault("lineage/empty-mailbox", `Nothing waits in the mailbox of the conversation ${id}.`, { id });
