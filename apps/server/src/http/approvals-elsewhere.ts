import type { z } from "@hono/zod-openapi";
import { serverError } from "../errors.ts";
import type { approval, approvalAnswer, decidedApproval } from "./governance-schemas.ts";
import { handOn, type OtherServer, otherServers } from "./hand-on.ts";
import type { ServerState } from "./server-state.ts";

type WireApproval = z.infer<typeof approval>;

/** What waits on other servers, and how many of them did not say. */
export interface WaitingElsewhere {
  readonly items: readonly WireApproval[];
  readonly unreachable: number;
}

/** Asks the servers that execute runs now for the calls that wait on them. */
export async function waitingElsewhere(request: Request, state: ServerState): Promise<WaitingElsewhere> {
  const others = await otherServers(request, state);
  const asked = await Promise.all(
    others.map(async (other) => {
      const answer = await answerOf(request, other);
      return answer === undefined || answer === "unknown"
        ? answer
        : ((await answer.json()) as { readonly items: readonly WireApproval[] }).items;
    }),
  );
  return {
    items: asked.flatMap((items) => (items === undefined || items === "unknown" ? [] : items)),
    unreachable: asked.filter((items) => items === undefined).length,
  };
}

/**
 * Hands an answer to the server on which the call waits. An approval's id names no run, so all of them are asked, and one
 * knows it. Undefined: none does.
 * @throws CmError `server/unreachable` where none knows it, and one could not be asked
 */
export async function decidedElsewhere(
  request: Request,
  given: z.infer<typeof approvalAnswer>,
  state: ServerState,
): Promise<z.infer<typeof decidedApproval> | undefined> {
  const others = await otherServers(request, state);
  const body = JSON.stringify(given);
  const answers = await Promise.all(others.map((other) => answerOf(request, other, body)));
  const decided = answers.find((answer) => answer !== undefined && answer !== "unknown");
  if (decided instanceof Response) return (await decided.json()) as z.infer<typeof decidedApproval>;
  if (!answers.includes(undefined)) return undefined;
  throw serverError("server/unreachable", "A server on which the call may wait cannot be asked; try again shortly.");
}

/** Undefined where it cannot be asked, or does not let the caller in. */
async function answerOf(
  request: Request,
  { id, address }: OtherServer,
  body?: string,
): Promise<Response | "unknown" | undefined> {
  if (address === undefined) return undefined;
  try {
    const answer = await handOn(request, { address, id, ...(body === undefined ? {} : { body }) });
    if (answer.ok) return answer;
    await answer.body?.cancel();
    return answer.status === 404 ? "unknown" : undefined;
  } catch {
    return undefined;
  }
}
