import {
  everyVersion,
  isDocumentOf,
  isSessionId,
  type ObjectStore,
  type StepAddress,
  sessionObjectId,
  sessionOfReference,
  stepId,
} from "@cm/object-model";
import { listSessions, type SessionSummary } from "@cm/session";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";
import { severalMatch } from "./several-match.ts";

/**
 * The id of a session that the user named, whole or by a start that only one has.
 * @throws CmError `cli/not-found`, `cli/ambiguous`
 */
export async function findSession(store: ObjectStore, text: string): Promise<string> {
  if (isSessionId(text) && (await store.getMany([sessionObjectId(text)])).size > 0) return text;
  const matches: string[] = [];
  for await (const { id } of everyVersion((page) => store.find({ type: "session" }, page))) {
    const session = sessionOfReference(id);
    if (text !== "" && session.startsWith(text) && matches.push(session) > limits.matchesMax) break;
  }
  const [only, ...others] = matches;
  if (only === undefined) {
    const named = text === "" ? '""' : text;
    throw cliError("cli/not-found", `There is no session ${named}; \`cm sessions\` lists those there are.`, {
      session: text,
    });
  }
  if (others.length === 0) return only;
  throw severalMatch(
    `sessions begin with ${text}; name one of them`,
    matches.map((id) => ({ id, line: id })),
  );
}

/** As `findSession`, for a step. */
export async function findStep(store: ObjectStore, { session: named, n }: StepAddress): Promise<StepAddress> {
  const session = await findSession(store, named);
  const [step, head] = [stepId({ session, n }), sessionObjectId(session)];
  const found = await store.getMany([step, head]);
  if (found.has(step)) return { session, n };
  const document = found.get(head)?.document;
  const { next_step: count, forked_from: origin } = isDocumentOf(document, "session") ? document : { next_step: 0 };
  const own = origin === undefined ? "" : " of its own";
  const some = count === 1 ? "its only one is 0" : `its steps are 0 to ${count - 1}`;
  const there = count === 0 ? `it has none${own} yet` : some;
  const goesOn =
    origin === undefined ? "" : `, and ${count === 0 ? "" : "it "}goes on from ${origin.session}@${origin.n}`;
  throw cliError("cli/not-found", `Session ${session} has no step ${n}; ${there}${goesOn}.`, { session, n });
}

/** The row of one session in the list. @throws CmError `cli/not-found`, `cli/ambiguous` */
export async function summaryOf(store: ObjectStore, text: string): Promise<SessionSummary> {
  const session = await findSession(store, text);
  for await (const summary of listSessions(store)) if (summary.session === session) return summary;
  throw cliError("cli/not-found", `The session ${session} was erased; \`cm history session:${session}\` says why.`, {
    session,
  });
}
