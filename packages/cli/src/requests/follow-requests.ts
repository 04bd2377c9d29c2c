import { setTimeout as pause } from "node:timers/promises";
import type { Prices } from "@cm/context-log";
import { type Basis, type ObjectStore, type StepAddress, stepId } from "@cm/object-model";
import { type PastRequest, requestsOf } from "@cm/session/past";
import { isoText } from "@cm/terminal-text";
import { limits } from "../limits.ts";
import { countText, happenedText, percentText, stepText } from "./request-words.ts";

export interface FollowedSession {
  readonly session: string;
  readonly prices: Pick<Prices, "read" | "write">;
}

/** The newest request of a session, and then each one when it is there, without an end. */
export async function* followRequests(
  store: ObjectStore,
  { session, prices }: FollowedSession,
): AsyncGenerator<PastRequest> {
  let known: StepAddress | undefined;
  for (;;) {
    // Before the look, so that what comes meanwhile is looked at next.
    const { basis } = await store.find({ type: "session", session }, { limit: 1 });
    const fresh: PastRequest[] = [];
    for await (const request of requestsOf(store, session, { order: "newest", prices })) {
      if (known !== undefined && stepId(request.step) === stepId(known)) break;
      fresh.push(request);
      if (known === undefined) break;
    }
    yield* fresh.reverse();
    known = fresh.at(-1)?.step ?? known;
    await changed(store, basis);
  }
}

/** A store that gives no hints is asked again and again. */
async function changed(store: ObjectStore, since: Basis): Promise<void> {
  if (store.changed === undefined) await pause(limits.followMs);
  else await store.changed(since);
}

/** A request on a line of its own. */
export function requestLine(request: PastRequest, session: string): string {
  const step = `step ${stepText(request.step, session)}`;
  const happened = happenedText(request, false);
  if (request.erased === "step") return `${step}: ${happened}`;
  const { atMs, chars, keptChars, billed, plainBilled } = request;
  const kept = keptChars > 0 ? `, ${percentText(keptChars, chars)} kept` : "";
  const told = happened === "" ? "" : `; ${happened}`;
  return `${isoText(atMs).slice(11, 19)} ${step}: ${countText(chars)} characters${kept}, billed ${countText(billed)} (plain ${countText(plainBilled)})${told}`;
}
